"use strict";
// The trace of one answer: a sentence is chosen, the page it stands on is shown with its box.
// Everything is put in as text, never as markup: neither documents nor models are trusted.

const content = JSON.parse(document.getElementById("content").textContent);
const state = { language: content.language, chosen: 0, cited: 0, page: 1 };
const sentences = new Map(content.sentences.map((sentence) => [sentence.id, sentence]));
const citations = new Map(content.citations.map((citation) => [citation.id, citation]));
const order = [];

const WORDS = {
  answer: ["答案", "Answer"], values: ["数值", "Values"], conflicts: ["来源不一致，未作取舍", "Sources differ, none was chosen"],
  points: ["要点", "Points"], elsewhere: ["其他", "Other"], cost: ["费用", "Cost"], page: ["第 {} 页", "Page {}"], of: ["共 {} 页", "of {}"],
  none: ["⚠ 无依据", "⚠ unsupported"], incomplete: ["还有分片没有得到答案", "Some chunks have no answer yet"],
  unsupported: ["{} 处没有在原文中找到依据", "{} have no support in the document"], nothing: ["没有要点，也没有数值。", "No points and no values."],
  choose: ["点选左边的一句话，这里显示它在原文中的位置。", "Choose a sentence on the left: its place in the document is shown here."],
  nopicture: ["没有这一页的图片，只有位置框（脱敏的页不显示图片）", "No picture of this page, only boxes (redacted pages show none)"],
  noplace: ["这种文件没有页面；位置：{}", "This kind of file has no pages; place: {}"], keys: ["上一句 下一句 · 下一处出处 · 翻页", "previous, next · next source · turn the page"],
  elsewhere_file: ["出处在另一份文件里：{}", "The source is another file: {}"],
  chunk: ["分片 #{}", "chunk #{}"], paragraphs: ["段落 {}", "paragraphs {}"], rule: ["规则取值", "taken by a rule"], model: ["模型", "model"],
  quoted: ["有原文", "quoted"], near: ["近似原文", "near"], words: ["用词相合", "words match"],
  spent: ["调用 {calls} 次，输入 {tokens_in}、输出 {tokens_out} 词元，{seconds} 秒；不用规则要 {without} 次，{less}。",
    "{calls} calls, {tokens_in} tokens in, {tokens_out} out, {seconds} s; without rules {without} calls, {less}."],
  restored: ["已换回原文", "originals put back"],
};
function say(key, value) {
  const pair = WORDS[key];
  const words = pair ? pair[state.language === "zh" ? 0 : 1] : key;
  return value === undefined ? words : words.replace("{}", value);
}
function pick(pair) { return pair[state.language === "zh" ? 0 : 1]; }
function make(tag, options, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") element.className = value;
    else if (key === "click") element.addEventListener("click", value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== "") element.append(child);
  return element;
}
function drawing(tag, options) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(options)) element.setAttribute(key, value);
  return element;
}

// ---- the head
function showTop() {
  const counts = { quoted: 0, near: 0, words: 0, rule: 0, none: 0 };
  for (const sentence of content.sentences) counts[sentence.support] += 1;
  const facts = Object.entries(counts).filter(([, count]) => count).map(([support, count]) => make("span", {}, say(support), " ", make("b", {}, String(count))));
  const other = state.language === "zh" ? "English" : "中文";
  document.getElementById("top").replaceChildren(
    make("div", { class: "name" }, make("h1", {}, content.name), make("div", { class: "facts" }, facts)),
    make("span", { class: "keys" }, make("kbd", {}, "k"), " ", make("kbd", {}, "j"), " ", make("kbd", {}, "n"), " ", make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " ", say("keys")),
    make("button", { class: "language", click: turnLanguage }, other));
}
function turnLanguage() {
  state.language = state.language === "zh" ? "en" : "zh";
  document.documentElement.lang = state.language;
  showAll();
  document.querySelector(".language").focus();
}

// ---- the answer
function said(id) {
  const sentence = sentences.get(id);
  order.push(id);
  const element = make("button", { class: "say " + sentence.support, type: "button", id: "s" + id, "data-id": id, "aria-pressed": "false", click: () => choose(id, 0) }, sentence.text);
  return sentence.support === "none" ? [element, make("span", { class: "mark", title: pick(sentence.why) }, say("none"))] : [element];
}
function showAnswer() {
  order.length = 0;
  const main = document.getElementById("answer");
  const parts = [];
  if (!content.complete) parts.push(make("p", { class: "told" }, say("incomplete")));
  if (content.unsupported) parts.push(make("p", { class: "told" }, say("unsupported", content.unsupported)));
  const agreed = content.values.filter((value) => value.kind !== "conflict");
  const differing = content.values.filter((value) => value.kind === "conflict");
  if (agreed.length) parts.push(make("h2", {}, say("values")), make("table", { class: "values" }, make("tbody", {}, agreed.map(row))));
  if (differing.length) parts.push(make("h2", {}, say("conflicts")), ...differing.map(sides));
  if (content.points.length) parts.push(make("h2", {}, say("points")), ...points());
  if (!content.points.length && !content.values.length) parts.push(make("p", {}, say("nothing")));
  parts.push(make("h2", {}, say("cost")), make("p", { class: "cost" }, cost()));
  main.replaceChildren(...parts);
}
function row(value) {
  return make("tr", {}, make("th", { scope: "row" }, value.name, value.about ? make("small", {}, value.about) : null), make("td", {}, value.sentences.flatMap(said)));
}
function sides(value) {
  const box = make("div", { class: "side" });
  for (const id of value.sentences) box.append(make("div", { class: "one" }, said(id), make("span", { class: "who" }, who(value, sentences.get(id).text))));
  return make("section", {}, make("h3", {}, value.name + (value.about ? " · " + value.about : "")), box);
}
function who(value, text) {
  const names = value.said.filter((one) => one.form === text).map((one) => (one.by === "rule" ? say("rule") : one.pipeline) + " · #" + one.ordinal);
  return [...new Set(names)].join("、");
}
function points() {
  const parts = [];
  let section = null;
  for (const point of content.points) {
    if (point.section !== section) { section = point.section; parts.push(make("h3", {}, section || say("elsewhere"))); }
    parts.push(make("p", { class: "point" }, point.sentences.flatMap((id) => [...said(id), " "])));
  }
  return parts;
}
function cost() {
  const told = { ...content.cost.spent, without: content.cost.without_rules.calls, less: pick(content.less) };
  return say("spent").replace(/\{(\w+)\}/g, (_, key) => String(told[key]));
}

// ---- the page
function place(citation) { return (citation.name ? citation.name + " · " : "") + spot(citation); }
function spot(citation) {
  if (citation.cells) return citation.cells;
  if (citation.pages.length) return say("page", citation.pages.length > 1 ? citation.pages[0] + "–" + citation.pages[citation.pages.length - 1] : citation.pages[0]);
  if (citation.paragraphs.length) { const first = citation.paragraphs[0]; return say("paragraphs", first.first === first.last ? first.first + 1 : (first.first + 1) + "–" + (first.last + 1)); }
  return say("chunk", citation.ordinal);
}
function showPage() {
  const aside = document.getElementById("page");
  const sentence = sentences.get(state.chosen);
  if (!sentence) { aside.replaceChildren(make("div", { class: "absent" }, say("choose"))); return; }
  const parts = [];
  if (sentence.support === "none") parts.push(make("div", { class: "why" }, say("none") + (sentence.why[1] ? " · " + pick(sentence.why) : "")));
  const cited = sentence.citations.map((id) => citations.get(id));
  const now = cited[state.cited];
  if (cited.length) parts.push(make("div", { class: "cited" }, cited.map((citation, index) =>
    make("button", { type: "button", "aria-pressed": String(index === state.cited), click: () => choose(state.chosen, index) }, "[" + citation.id + "] " + place(citation)))));
  if (now) {
    const heading = now.heading_path[now.heading_path.length - 1];
    parts.push(make("blockquote", {}, heading ? make("small", {}, heading) : null, now.quote || (now.how === "rule" ? say("rule") + "：" + sentence.text : "")));
  }
  if (now && now.folder) parts.push(make("div", { class: "absent" }, say("elsewhere_file", place(now))));
  else if (content.sizes.length) parts.push(...sheet(now)); else if (now) parts.push(make("div", { class: "absent" }, say("noplace", place(now))));
  aside.replaceChildren(...parts);
  const mark = aside.querySelector("rect.quote");
  if (mark) mark.scrollIntoView({ block: "center", behavior: "instant" });
}
function sheet(citation) {
  const last = content.sizes.length;
  const size = content.sizes[state.page - 1] || content.sizes[0], picture = content.pictures[state.page];
  const turn = (step) => make("button", { type: "button", "aria-label": say("page", state.page + step), disabled: state.page + step < 1 || state.page + step > last, click: () => turnPage(step) }, step < 0 ? "‹" : "›");
  const paper = make("div", { class: "sheet" });
  if (picture) paper.append(make("img", { src: picture, alt: say("page", state.page) }));
  else paper.style.aspectRatio = size[0] + " / " + size[1];
  const svg = drawing("svg", { viewBox: "0 0 " + size[0] + " " + size[1], preserveAspectRatio: "none" });
  for (const box of citation ? citation.boxes : []) {
    if (box.page !== state.page) continue;
    svg.append(drawing("rect", { x: box.x0 - 2, y: box.y0 - 2, width: box.x1 - box.x0 + 4, height: box.y1 - box.y0 + 4, rx: 2, class: "quote" }));
  }
  paper.append(svg);
  return [make("div", { class: "turn" }, turn(-1), make("span", {}, say("page", state.page) + " " + say("of", last)), turn(1)), paper, picture ? "" : make("div", { class: "absent" }, say("nopicture"))];
}
function turnPage(step) {
  const wanted = state.page + step;
  if (wanted < 1 || wanted > content.sizes.length) return;
  state.page = wanted;
  showPage();
}

// ---- choosing
function choose(id, cited) {
  state.chosen = id;
  state.cited = cited;
  const citation = citations.get(sentences.get(id).citations[cited]);
  if (citation && !citation.folder) state.page = citation.boxes.length ? citation.boxes[0].page : citation.pages[0] || state.page;
  document.querySelectorAll('.say[aria-pressed="true"]').forEach((other) => other.setAttribute("aria-pressed", "false"));
  const element = document.getElementById("s" + id);
  if (element) { element.setAttribute("aria-pressed", "true"); element.focus({ preventScroll: true }); element.scrollIntoView({ block: "nearest", behavior: "instant" }); }
  history.replaceState(null, "", "#s" + id);
  showPage();
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = order.indexOf(state.chosen);
  if (event.key === "j" || event.key === "ArrowDown") { if (at + 1 < order.length) choose(order[at + 1], 0); }
  else if (event.key === "k" || event.key === "ArrowUp") { if (at > 0) choose(order[at - 1], 0); }
  else if (event.key === "n" && sentences.has(state.chosen)) { const count = sentences.get(state.chosen).citations.length; if (count) choose(state.chosen, (state.cited + 1) % count); }
  else if (event.key === "ArrowLeft") turnPage(-1);
  else if (event.key === "ArrowRight") turnPage(1);
  else return;
  event.preventDefault();
});
function showAll() {
  showTop();
  showAnswer();
  const element = document.getElementById("s" + state.chosen);
  if (element) element.setAttribute("aria-pressed", "true");
  showPage();
}
document.documentElement.lang = state.language;
showAll();
const asked = /^#s(\d+)$/.exec(location.hash);
if (asked && sentences.has(Number(asked[1]))) choose(Number(asked[1]), 0);
