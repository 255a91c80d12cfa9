// Elements of the page. Text from a report becomes text nodes and values of attributes alone, never markup.

const byId = (id) => document.getElementById(id);

// What would turn the direction of text, or is invisible and no space, is shown as a replacement character.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const printable = (text) => String(text).replace(unprintable, "\ufffd");

// el makes an element. A property that begins with "on" is a listener, true and false set and leave out an attribute,
// and children are elements or text; empty ones are left out.
function el(tag, properties, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(name, printable(value));
  }
  add(e, ...children);
  return e;
}

function add(e, ...children) {
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false || child === "") continue;
    e.append(child instanceof Node ? child : printable(child));
  }
}

const counted = (n, what) => (n === 1 ? `1 ${what}` : `${n.toLocaleString("en")} ${what}s`);

// tell says something to those who do not see the page.
function tell(text) {
  byId("told").textContent = printable(text);
}

// copyButton copies a text. What is copied is what is shown.
function copyButton(what, of, text, label = "Copy") {
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${what} ${of}`.trim() }, label);
  button.addEventListener("click", async () => {
    const done = await copy(printable(text()));
    button.textContent = done ? "Copied" : "Not copied";
    tell(done ? `Copied ${what}.` : "The browser did not allow to copy.");
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text); // a page that does not come over HTTPS has no clipboard
  }
}

function copyByHand(text) {
  const before = document.activeElement;
  const area = el("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    // done stays false, and the button says so
  }
  area.remove();
  if (before) before.focus();
  return done;
}
