// Controls of the filters.

// newControls returns the controls. changed is called with the part of the state that the reader changed.
function newControls(items, hasCluster, changed) {
  const values = (of) => [...new Set(items.map(of))].sort();
  const boxes = { level: checks("level", "Level", levels), certainty: checks("certainty", "Certainty", certainties) };
  if (hasCluster) boxes.status = checks("status", "In the cluster", statuses, statusNames);
  const choices = {
    rule: choice("rule", "Rule", values((item) => item.rule).filter(Boolean)),
    namespace: choice("namespace", "Namespace", values((item) => item.object.namespace)),
  };
  const group = el("select", { id: "group", onchange: (e) => changed({ group: e.target.value }) },
    el("option", { value: "rule" }, "Cause"), el("option", { value: "namespace" }, "Namespace"), el("option", { value: "object" }, "Object"));
  const search = el("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false", placeholder: "name, image, file, text" });
  let wait;
  search.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => changed({ q: search.value.trim() }), 120);
  });
  const clear = el("button", { type: "button", class: "clear", onclick: () => changed({ ...nothingChosen(), group: group.value }) }, "Clear filters");
  const summary = el("summary", {}, "Filters");
  const box = el("details", { class: "filters", open: !matchMedia("(max-width: 60rem)").matches }, summary,
    el("form", { role: "search", "aria-label": "Filter the findings", onsubmit: (e) => e.preventDefault() },
      labelled("Search", search),
      boxes.status && boxes.status.node, boxes.level.node, boxes.certainty.node,
      choices.rule.node, choices.namespace.node, labelled("Group by", group), clear));

  function checks(name, title, words, names = {}) {
    const inputs = words.filter((word) => items.some((item) => item[name] === word)).map((word) => {
      const number = el("span", { class: "number" });
      const input = el("input", { type: "checkbox", name, value: word, onchange: () => changed({ [name]: inputs.filter((i) => i.input.checked).map((i) => i.word) }) });
      return { word, input, number, node: el("label", { class: "check" }, input, el("span", { class: `key ${word}`, "aria-hidden": "true" }), el("span", {}, names[word] || word), number) };
    });
    return {
      node: inputs.length > 1 ? el("fieldset", {}, el("legend", {}, title), inputs.map((i) => i.node)) : "",
      show(chosen, facet) {
        for (const i of inputs) {
          const n = facet.get(i.word) || 0;
          i.input.checked = chosen.includes(i.word);
          i.number.textContent = n.toLocaleString("en");
          i.node.classList.toggle("none", n === 0);
        }
      },
    };
  }

  function choice(name, title, words) {
    const all = el("option", { value: "" }, "All");
    const options = words.map((word) => ({ word, option: el("option", { value: `=${word}` }) }));
    const select = el("select", { id: name, onchange: (e) => changed({ [name]: e.target.value ? e.target.value.slice(1) : null }) }, all, options.map((o) => o.option));
    const stray = el("option", {});
    return {
      node: words.length > 1 ? labelled(title, select) : "",
      show(chosen, facet) {
        for (const { word, option } of options) option.textContent = printable(`${word || "(none written)"} (${facet.get(word) || 0})`);
        stray.remove();
        if (chosen !== null && !words.includes(chosen)) { // a link may name what is not in this report
          stray.value = `=${chosen}`;
          stray.textContent = printable(`${chosen} (0)`);
          select.append(stray);
        }
        select.value = chosen === null ? "" : `=${chosen}`;
      },
    };
  }

  return {
    node: box,
    show(state, facets) {
      for (const [name, b] of Object.entries(boxes)) b.show(state[name], facets[name]);
      for (const [name, c] of Object.entries(choices)) c.show(state[name], facets[name]);
      group.value = state.group;
      if (document.activeElement !== search) search.value = state.q;
      const active = Object.keys(several).reduce((n, name) => n + state[name].length, 0) + single.filter((name) => state[name] !== null).length + (state.q ? 1 : 0);
      summary.textContent = active ? `Filters (${active})` : "Filters";
      clear.hidden = active === 0;
    },
  };
}

function labelled(title, control) {
  return el("div", { class: "field" }, el("label", { for: control.id }, title), control);
}
