// The page: state, filters and list held together.

start();
startTheme();
foldCharts();

function start() {
  const data = JSON.parse(byId("data").textContent);
  const items = readItems(data);
  byId("instead").remove();
  const app = byId("app");
  app.hidden = false;
  if (items.length === 0) {
    app.append(el("p", { class: "empty" }, emptiness(data)));
    return;
  }
  let state = isState(location.hash) ? fromFragment(location.hash) : nothingChosen();
  const box = el("div", { class: "list" });
  const list = newList(box);
  const count = el("p", { class: "count" });
  const controls = newControls(items, Boolean(data.cluster), (change) => {
    state = { ...state, ...change };
    remember();
    show();
  });
  const link = copyButton("link", "to this view", () => location.href, "Copy link");
  link.className = "";
  add(app, controls.node, el("div", { class: "results" },
    el("div", { class: "toolbar" }, count,
      el("button", { type: "button", onclick: () => list.openAll(true) }, "Open all"),
      el("button", { type: "button", onclick: () => list.openAll(false) }, "Close all"), link),
    box));

  function show(quietly) {
    const { shown, facets } = choose(items, state);
    const groups = list.show(shown, state.group);
    controls.show(state, facets);
    count.textContent = `${told(shown, items)} in ${counted(byObject(shown).length, "object")}`;
    if (shown.length === 0) box.replaceChildren(el("p", { class: "empty" }, "No finding is like this. Clear a filter to see others."));
    if (!quietly) tell(`${count.textContent}, ${counted(groups.length, "group")}.`);
  }

  // Some places that show pages, such as sandboxed frames, have no address to change.
  function remember() {
    try {
      history.replaceState(null, "", toFragment(state) || location.pathname + location.search);
    } catch {
      // the page works without
    }
  }

  addEventListener("hashchange", () => {
    if (!isState(location.hash)) return;
    state = { ...fromFragment(location.hash) };
    show();
    byId("findings").scrollIntoView();
    byId("findings").focus({ preventScroll: true });
  });
  addEventListener("beforeprint", () => list.print(choose(items, state).shown, state.group));
  addEventListener("afterprint", () => show(true));
  show(true);
  if (isState(location.hash)) byId("findings").scrollIntoView();
}

// emptiness says what it means that there is nothing to show.
function emptiness({ whole, notShown, known }) {
  if (!whole) return "Nothing was found in what could be judged. This audit is not whole: see above.";
  if (notShown) return `Nothing is shown: ${counted(notShown, "finding")} below the lowest level that was asked for.`;
  return known ? `Nothing new was found. An earlier report holds ${counted(known, "finding")}.` : "Nothing was found.";
}

// told counts what is shown, and what there is where that is more.
function told(shown, items) {
  const of = (list, predicted) => list.filter((item) => Boolean(item.rule) === predicted).length;
  const number = (predicted, what) => {
    const [some, all] = [of(shown, predicted), of(items, predicted)];
    return all === 0 ? "" : `${some === all ? "" : `${some.toLocaleString("en")} of `}${counted(all, what)}${predicted ? "" : " without a prediction"}`;
  };
  return [number(true, "finding"), number(false, "failure")].filter(Boolean).join(" and ");
}

function startTheme() {
  const box = byId("theme");
  box.hidden = false;
  const set = (theme) => {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  let theme = "system";
  try {
    theme = localStorage.getItem("forestall-theme") || theme;
  } catch {
    // a file that may keep nothing follows the system
  }
  set(theme);
  for (const input of box.querySelectorAll("input")) {
    input.checked = input.value === theme;
    input.addEventListener("change", () => {
      set(input.value);
      try {
        localStorage.setItem("forestall-theme", input.value);
      } catch {
        // it counts until the page is closed
      }
    });
  }
}

// foldCharts leaves the first chart open on a narrow screen, so that the findings are near.
function foldCharts() {
  if (!matchMedia("(max-width: 44rem)").matches) return;
  [...document.querySelectorAll("details.chart")].slice(1).forEach((chart) => { chart.open = false; });
}
