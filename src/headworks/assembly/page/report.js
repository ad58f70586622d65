"use strict";
// The report of one document. Everything shown is put in as text, never as markup: a document's
// words are not trusted. Offsets count code points, as everywhere in headworks.

const content = JSON.parse(document.getElementById("content").textContent);
const state = { language: "zh", tab: "chunks", query: "", route: null, tag: null, chosen: -1, page: 1, first: 0, shown: 0, picked: [] };
const COLOURS = ["#2f7f86", "#b7791f", "#5b6fb5", "#a3485f", "#5f8a3a", "#86569c", "#3a86b7", "#b0603a", "#71757c", "#2f8a63"];
const BATCH = 60;

const WORDS = {
  colon: ["：", ": "], outline: ["大纲", "Outline"], chunks: ["分片", "Chunks"], ledger: ["未入片内容", "Left out"], warnings: ["提示", "Warnings"],
  references: ["引用", "References"], about: ["文档信息", "About"], search: ["在分片中查找…", "Find in chunks…"],
  pages: ["页", "pages"], chars: ["字符", "characters"], tokens: ["词元", "tokens"], none: ["没有符合条件的分片", "No chunk matches"],
  nothing: ["没有", "Nothing here"], more: ["展开全文", "Show all"], less: ["收起", "Show less"], rules: ["命中规则", "Rules that fired"],
  links: ["引用与被引用", "References"], page: ["第 {} 页", "Page {}"], of: ["共 {} 页", "of {}"], nopicture: ["这一页没有图片（--report-pages 可以放宽）", "No picture of this page (raise --report-pages)"],
  skipped: ["不投递", "not delivered"], also: ["另有命中", "also matched"], refersto: ["引用", "refers to"], referredby: ["被引用于", "referred to by"],
  dangling: ["文中找不到", "not found here"], external: ["文外", "elsewhere"], part: ["第 {} 部分", "part {}"], degraded: ["内容不完整", "degraded"],
  review: ["需人工确认", "needs a person"], left: ["另有 {} 个分片没有放进这一页，见 chunks.jsonl", "{} more chunks are not in this page, see chunks.jsonl"],
  unread: ["未能读取", "Not read"], profile: ["结构档案", "Profile"], versions: ["版本", "Versions"], source: ["来源", "Source"], count: ["{} 个字符", "{} characters"],
  untitled: ["（无标题）", "(no heading)"], law: ["关联法条", "law"], undecided: ["未判定", "undecided"], article: ["第{}条", " art. {}"],
};
const KINDS = {
  clause: ["条款", "clause"], section: ["章节", "section"], table: ["表格", "table"], cover: ["封面", "cover"], contents: ["目录", "contents"],
  appendix: ["附件", "appendix"], signature: ["签署", "signature"], list: ["列表", "list"], figure: ["图", "figure"], sheet: ["工作表", "sheet"],
  slide: ["幻灯片", "slide"], note: ["注释", "note"], code: ["代码", "code"], text: ["文字", "text"], body: ["正文", "body"],
};
const REASONS = {
  page_header: ["页眉", "page header"], page_footer: ["页脚", "page footer"], page_number: ["页码", "page number"], watermark: ["水印", "watermark"],
  invisible: ["不可见字符", "invisible characters"], hidden_text: ["隐藏内容", "hidden content"], contents: ["目录", "contents"], duplicate: ["重复", "duplicate"],
  deleted_revision: ["已删除的修订", "deleted revision"], overlap: ["重叠", "overlap"], repeated_header: ["跨页重复的表头", "header repeated overleaf"], stripped: ["规则剔除", "stripped by a rule"],
};

function say(key, value) {
  const pair = WORDS[key];
  const words = pair ? pair[state.language === "zh" ? 0 : 1] : key;
  return value === undefined ? words : words.replace("{}", value);
}
function pick(pair) { return pair[state.language === "zh" ? 0 : 1]; }
function name(table, key) { const pair = table[key]; return pair ? pick(pair) : key; }

function make(tag, options, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") element.className = value;
    else if (key === "click") element.addEventListener("click", value);
    else if (key === "route") element.style.setProperty("--route", value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child);
  }
  return element;
}
function drawing(tag, options) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(options)) element.setAttribute(key, value);
  return element;
}

// ---- what is counted once
const chunks = content.chunks;
const position = new Map(chunks.map((chunk, index) => [chunk.id, index]));
const routes = tally(chunks.map((chunk) => [chunk.route.pipeline]));
const tags = tally(chunks.map((chunk) => chunk.tags));
const colour = new Map([...routes.keys()].map((route, index) => [route, COLOURS[index % COLOURS.length]]));
const onPage = new Map();
chunks.forEach((chunk, index) => chunk.boxes.forEach((box) => {
  if (!onPage.has(box.page)) onPage.set(box.page, []);
  onPage.get(box.page).push([index, box]);
}));
const paged = content.sizes.length > 0;

function tally(lists) {
  const counts = new Map();
  for (const list of lists) for (const word of list) counts.set(word, (counts.get(word) || 0) + 1);
  return new Map([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

// ---- the head
function showTop() {
  const top = document.getElementById("top");
  const bar = make("div", { class: "bar", title: [...routes].map(([route, count]) => route + " " + count).join(" · ") });
  for (const [route, count] of routes) {
    const piece = make("span", {});
    piece.style.flex = String(count);
    piece.style.background = colour.get(route);
    bar.append(piece);
  }
  const facts = make("div", { class: "facts" },
    content.title && content.title !== content.name ? make("span", {}, content.name) : null,
    content.pages ? make("span", {}, make("b", {}, String(content.pages)), " " + say("pages")) : null,
    make("span", {}, make("b", {}, content.chars.toLocaleString("en")), " " + say("chars")),
    make("span", {}, make("b", {}, String(content.count)), " " + say("chunks").toLowerCase()),
    content.profile ? make("span", { title: content.profile.why }, say("profile") + " " + content.profile.name) : null);
  const other = state.language === "zh" ? "English" : "中文";
  top.replaceChildren(make("div", { class: "name" }, make("h1", {}, content.title || content.name), facts), bar,
    make("button", { class: "language", click: turnLanguage }, other));
}
function turnLanguage() {
  state.language = state.language === "zh" ? "en" : "zh";
  document.documentElement.lang = state.language;
  showAll();
}

// ---- the outline
function showOutline() {
  const outline = document.getElementById("outline");
  const entries = [make("h2", {}, say("outline"))];
  let zone = 0;
  for (const heading of content.outline) {
    while (zone < content.zones.length && content.zones[zone].start <= heading.start) {
      const here = content.zones[zone++];
      if (content.zones.length > 1) entries.push(make("div", { class: "zone" }, name(KINDS, here.kind) + (here.name ? " · " + here.name : "")));
    }
    const at = heading.page || content.pages === null ? heading.page : null;
    entries.push(make("button", { class: "entry level" + Math.min(5, heading.level), "data-heading": heading.id, title: heading.text, click: () => heading.chunk >= 0 && choose(heading.chunk, true) },
      make("span", { class: "words" }, heading.text || say("untitled")), at ? make("span", { class: "at" }, String(at)) : null));
  }
  if (entries.length === 1) entries.push(make("div", { class: "empty" }, say("nothing")));
  outline.replaceChildren(...entries);
}
function markOutline() {
  document.querySelectorAll("nav .now").forEach((entry) => entry.classList.remove("now"));
  const chunk = chunks[state.chosen];
  if (!chunk) return;
  // The deepest heading above the chunk, or the first that begins in it.
  const own = content.outline.find((heading) => heading.start >= chunk.start && heading.start < chunk.end);
  const from = own ? own.start : chunk.start;
  let best = null;
  for (const heading of content.outline) if (heading.start <= from && heading.extent[1] > chunk.start) best = heading;
  const entry = best && document.querySelector('nav [data-heading="' + best.id + '"]');
  if (entry) { entry.classList.add("now"); entry.scrollIntoView({ block: "nearest" }); }
}

// ---- the middle
function showMiddle() {
  const middle = document.getElementById("middle");
  middle.replaceChildren(tools(), make("div", { id: "body" }));
  ({ chunks: showChunks, ledger: showLedger, warnings: showWarnings, references: showReferences, about: showAbout })[state.tab]();
  middle.scrollTop = 0;
}
function tools() {
  const counts = { chunks: content.count, references: content.references.length, ledger: content.ledger.length, warnings: content.warnings.length, about: null };
  const tabs = Object.entries(counts).map(([tab, count]) =>
    make("button", { role: "tab", "aria-selected": String(state.tab === tab), "data-tab": tab, click: () => { state.tab = tab; showMiddle(); } },
      say(tab), count === null ? null : make("span", { class: "count" }, String(count))));
  const search = make("input", { type: "search", placeholder: say("search"), "aria-label": say("search"), value: state.query });
  search.addEventListener("input", () => {
    state.query = search.value;
    if (state.tab !== "chunks") { state.tab = "chunks"; showMiddle(); document.querySelector(".tabs input").focus(); } else showChunks();
  });
  const box = make("div", { class: "tools" }, make("div", { class: "tabs", role: "tablist" }, tabs, search));
  if (state.tab === "chunks") box.append(chips());
  return box;
}
function chips() {
  const row = make("div", { class: "chips" });
  const add = (kind, word, count, dot) => row.append(make("button", {
    class: "chip", "data-filter": kind, "aria-pressed": String(state[kind] === word),
    click: () => { state[kind] = state[kind] === word ? null : word; row.replaceWith(chips()); showChunks(); },
  }, dot ? dotted(dot) : null, word, make("small", {}, String(count))));
  for (const [route, count] of routes) add("route", route, count, colour.get(route));
  if (tags.size) row.append(make("span", { class: "break" }));
  for (const [tag, count] of tags) add("tag", tag, count, null);
  return row;
}
function dotted(value) { const dot = make("i", {}); dot.style.background = value; return dot; }

function wanted(chunk) {
  if (state.route !== null && chunk.route.pipeline !== state.route) return false;
  if (state.tag !== null && !chunk.tags.includes(state.tag)) return false;
  const query = state.query.trim().toLowerCase();
  return !query || (chunk.text + "\n" + chunk.heading_path.join(" ") + "\n" + chunk.id).toLowerCase().includes(query);
}
function showChunks() {
  state.picked = chunks.map((_, index) => index).filter((index) => wanted(chunks[index]));
  showFrom(0);
}
// A window over the chosen chunks: it begins near the one asked for and grows at both ends.
function showFrom(place) {
  state.first = state.shown = Math.max(0, place - 6);
  const body = document.getElementById("body");
  body.replaceChildren(make("div", { id: "before" }));
  if (!state.picked.length) body.append(make("div", { class: "empty" }, say("none")));
  showMore();
  if (state.first > 0) watcher.observe(document.getElementById("before"));
}
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { if (entry.target.id === "rest") showMore(); else showEarlier(); }
}, { rootMargin: "600px" });
function showMore(until) {
  const body = document.getElementById("body");
  const last = Math.min(state.picked.length, Math.max(state.shown + BATCH, until || 0));
  document.getElementById("rest")?.remove();
  const cards = [];
  for (; state.shown < last; state.shown++) cards.push(card(state.picked[state.shown]));
  body.append(...cards);
  if (state.shown < state.picked.length) {
    const rest = make("div", { id: "rest" });
    body.append(rest);
    watcher.observe(rest);
  } else if (content.left) body.append(make("div", { class: "empty" }, say("left", content.left)));
}
function showEarlier() {
  const before = document.getElementById("before");
  const first = Math.max(0, state.first - BATCH);
  const cards = [];
  for (let place = first; place < state.first; place++) cards.push(card(state.picked[place]));
  before.after(...cards);
  state.first = first;
  if (!first) watcher.unobserve(before);
}

function card(index) {
  const chunk = chunks[index];
  const path = chunk.heading_path;
  const trail = path.length ? [...path.slice(0, -1).map((step) => make("span", {}, step)), make("b", {}, path[path.length - 1])] : [make("b", {}, name(KINDS, chunk.kind))];
  const about = [name(KINDS, chunk.kind)];
  if (chunk.zone !== "body" && chunk.zone !== chunk.kind) about.push(name(KINDS, chunk.zone));
  if (chunk.cells) about.push(chunk.cells);
  else if (chunk.pages.length) about.push(say("page", chunk.pages.length > 1 ? chunk.pages[0] + "–" + chunk.pages[chunk.pages.length - 1] : chunk.pages[0]));
  about.push(chunk.chars + " " + say("chars"));
  if (chunk.part) about.push(say("part", chunk.part.index + "/" + chunk.part.of));
  return make("article", {
    class: "chunk" + (chunk.skipped ? " skipped" : "") + (index === state.chosen ? " chosen" : ""), id: "chunk-" + chunk.ordinal, "data-index": index,
    route: colour.get(chunk.route.pipeline), click: (event) => { if (!event.target.closest("button, a, summary, .ref")) choose(index, false); },
  },
    make("div", { class: "head" }, make("span", { class: "number" }, "#" + chunk.ordinal), make("span", { class: "path" }, trail)),
    make("div", { class: "about" }, about.map((fact) => make("span", {}, fact))),
    words(chunk), foot(chunk), rules(chunk), links(chunk));
}
function words(chunk) {
  const long = chunk.text.length > 420 || (chunk.markdown || chunk.text).split("\n").length > 9;
  const text = make("div", { class: "text" + (long ? " long" : "") });
  if (chunk.markdown) text.append(...tables(chunk.markdown)); else text.append(...marked(chunk));
  if (!long) return text;
  const more = make("button", { class: "more", click: () => { more.textContent = say(text.classList.toggle("open") ? "less" : "more"); } }, say("more"));
  return make("div", {}, text, more);
}
function foot(chunk) {
  const line = make("div", { class: "foot" }, make("span", { class: "route", title: chunk.route.rule }, make("i", {}), chunk.route.pipeline));
  if (chunk.route.priority !== "nearline") line.append(make("span", { class: "plain" }, chunk.route.priority));
  for (const tag of chunk.tags) line.append(make("span", { class: "tag" }, tag));
  if (chunk.skipped) line.append(make("span", { class: "note", title: chunk.skipped }, say("skipped")));
  if (chunk.review) line.append(make("span", { class: "note", title: chunk.review }, say("review")));
  if (chunk.degraded) line.append(make("span", { class: "note", title: chunk.degraded }, say("degraded")));
  for (const rule of chunk.undecided) line.append(make("span", { class: "note", title: rule }, say("undecided")));
  for (const link of chunk.links) line.append(make("span", { class: "plain", title: link.rule }, "《" + link.law + "》" + article(link.article)));
  const values = new Map(chunk.hits.flatMap((hit) => Object.entries(hit.values).map(([key, value]) => [key + value.text, [key, value]])));
  for (const [key, value] of [...values.values()].slice(0, 8)) line.append(make("span", { class: "found", title: value.kind + " " + value.value }, make("small", {}, key + " "), value.text));
  return line;
}
function article(number) { return /^\d+$/.test(number) ? say("article", number) : number; }
function rules(chunk) {
  if (!chunk.hits.length && !chunk.route.also_matched.length) return null;
  const list = make("dl", {});
  for (const hit of chunk.hits) {
    const told = make("dd", {}, hit.quote.length > 120 ? hit.quote.slice(0, 120) + "…" : hit.quote);
    for (const [key, value] of Object.entries(hit.values)) told.append(make("div", { class: "value" }, key + " = " + value.value + "（" + value.text + "）"));
    for (const reason of hit.reasons) told.append(make("div", {}, make("small", {}, reason)));
    list.append(make("dt", {}, hit.rule), told);
  }
  list.append(make("dt", {}, "→ " + chunk.route.pipeline), make("dd", {}, chunk.route.rule + (chunk.route.also_matched.length ? " · " + say("also") + " " + chunk.route.also_matched.join("、") : "")));
  return make("details", {}, make("summary", {}, say("rules") + " " + chunk.hits.length), list);
}
function links(chunk) {
  if (!chunk.references.length && !chunk.referenced_by.length) return null;
  const list = make("dl", {});
  for (const ref of chunk.references) list.append(make("dt", {}, say("refersto") + " " + ref.text), make("dd", {}, ...targets(ref)));
  for (const back of chunk.referenced_by) list.append(make("dt", {}, say("referredby")), make("dd", {}, back.folder ? elsewhere(back.folder, back.text + " ← " + back.folder) : jump(back.chunk, back.text)));
  return make("details", {}, make("summary", {}, say("links") + " " + (chunk.references.length + chunk.referenced_by.length)), list);
}
// The other file's page, where its results lie beside these.
function elsewhere(folder, words) {
  return make("a", { href: "../" + encodeURIComponent(folder) + "/report.html" }, words);
}
function targets(ref) {
  if (ref.folder) return [elsewhere(ref.folder, ref.target + " → " + ref.folder)];
  if (!ref.chunks.length) return [ref.target + " · " + say(ref.status === "external" ? "external" : "dangling")];
  const shown = ref.chunks.slice(0, 6).map((id) => jump(id)).flatMap((link) => [link, " "]);
  return [ref.target + " → ", ...shown, ref.chunks.length > 6 ? "…" : ""];
}
function jump(id, words) {
  const index = position.get(id);
  if (index === undefined) return make("span", {}, words || id.slice(0, 8));
  const chunk = chunks[index];
  return make("button", { class: "link", click: () => choose(index, true) }, (words ? words + " ← " : "") + "#" + chunk.ordinal + " " + (chunk.heading_path[chunk.heading_path.length - 1] || ""));
}

// ---- a chunk's words with what lies over them
function marked(chunk) {
  const points = /[\ud800-\udfff]/.test(chunk.text) ? Array.from(chunk.text) : chunk.text;
  const cut = (start, end) => typeof points === "string" ? points.slice(start, end) : points.slice(start, end).join("");
  const layers = [];
  const lay = (start, end, kind, about) => { if (start < end) layers.push({ start, end, kind, about }); };
  const range = (start, end) => [moved(chunk, local(chunk, start), false), moved(chunk, local(chunk, end - 1) + 1, true)];
  // A rule about the whole chunk is told in the list below; marking every word says nothing.
  for (const hit of chunk.hits) if (hit.end - hit.start < 0.8 * (chunk.end - chunk.start)) lay(...range(hit.start, hit.end), "hit", hit);
  for (const edit of chunk.redactions) lay(...range(edit.start, edit.end), "redact", edit);
  for (const ref of chunk.references) lay(...range(ref.start, ref.end), "ref", ref);
  const query = state.query.trim().toLowerCase();
  if (query) {
    const low = cut(0, points.length).toLowerCase();
    if (low.length === points.length) for (let at = low.indexOf(query); at >= 0; at = low.indexOf(query, at + query.length)) lay(at, at + query.length, "find", null);
  }
  const edges = [...new Set([0, points.length, ...layers.flatMap((layer) => [layer.start, layer.end])])].filter((edge) => edge >= 0 && edge <= points.length).sort((a, b) => a - b);
  const pieces = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const over = layers.filter((layer) => layer.start <= edges[i] && layer.end >= edges[i + 1]);
    const words = cut(edges[i], edges[i + 1]);
    pieces.push(over.length ? piece(words, over) : words);
  }
  return pieces;
}
function piece(words, over) {
  const ref = over.find((layer) => layer.kind === "ref")?.about;
  const kinds = new Set(over.map((layer) => layer.kind));
  if (ref) kinds.add(ref.status);
  const titles = over.map((layer) => layer.about && (layer.about.rule || layer.about.target || layer.about.token)).filter(Boolean);
  const target = ref && ref.chunks.length ? position.get(ref.chunks[0]) : undefined;
  return make("span", { class: [...kinds].join(" "), title: [...new Set(titles)].join(" · "), click: target === undefined ? null : () => choose(target, true) }, words);
}
function local(chunk, offset) {
  let before = 0;
  for (const [start, end] of chunk.spans) {
    if (offset < end) return before + Math.max(0, offset - start);
    before += end - start;
  }
  return before;
}
// Where an offset of the original text is in a text with tokens; inside a token, its start or its end.
function moved(chunk, at, isEnd) {
  let shift = 0;
  for (const [start, end, size] of chunk.moves || []) {
    if (isEnd ? at <= start : at < start) break;
    if (isEnd ? at <= end : at < end) return start + shift + (isEnd ? size : 0);
    shift += size - (end - start);
  }
  return at + shift;
}
// The Markdown view shows HTML, fences and links to scripts instead of letting them run; here they
// are text nodes and can run nothing.
function plain(words) {
  return words.replace(/&lt;(?=[A-Za-z/!?])/g, "<").replace(/\\(?=`{3}|~{3})/g, "").replace(/\]\\([(:])/g, "]$1");
}
function tables(markdown) {
  const pieces = [];
  let rows = [], lines = [];
  const close = () => {
    const words = lines.join("\n").trim().replace(/\n{3,}/g, "\n\n");
    if (words) pieces.push(make("div", {}, plain(words)));
    if (rows.length) pieces.push(table(rows));
    rows = [];
    lines = [];
  };
  for (const line of markdown.split("\n")) {
    if (line.startsWith("|")) { if (!rows.length) close(); rows.push(line); }
    else { if (rows.length) close(); lines.push(line.replace(/^#{1,6} /, "").trimEnd()); }
  }
  close();
  return pieces;
}
function table(rows) {
  const grid = rows.map((row) => row.replace(/^\| ?/, "").replace(/ ?\|$/, "").split(/(?<!\\) ?\| ?/).map((cell) => plain(cell.replace(/\\\|/g, "|")).trim()));
  const ruled = grid.length > 1 && grid[1].every((cell) => /^-{3,}$/.test(cell));
  const body = make("tbody", {}), whole = make("table", {});
  grid.forEach((cells, index) => {
    if (ruled && index === 1) return;
    const line = make("tr", {}, cells.map((cell) => make(ruled && index === 0 ? "th" : "td", {}, cell)));
    if (ruled && index === 0) whole.append(make("thead", {}, line)); else body.append(line);
  });
  whole.append(body);
  return make("div", { class: "tablewrap" }, whole);
}

// ---- the other tabs
function lines(entries) {
  const body = document.getElementById("body");
  body.replaceChildren(entries.length ? make("div", { class: "list" }, entries) : make("div", { class: "empty" }, say("nothing")));
}
function line(what, words, where) { return make("div", { class: "line" }, make("div", { class: "what" }, what), make("div", {}, words), make("div", { class: "where" }, where)); }
function showLedger() {
  lines(content.ledger.map((entry) => line(name(REASONS, entry.reason), make("p", {}, entry.text || "—"), [entry.place, say("count", entry.count)].filter(Boolean).join(" · "))));
}
function showWarnings() {
  const lost = content.lost;
  const unread = [...lost.picture_only_pages.map((page) => say("page", page)), ...lost.hidden_sheets, ...lost.unread_parts];
  if (lost.unreadable_characters) unread.push(say("count", lost.unreadable_characters));
  const entries = content.warnings.map((warning) => line(warning.code, [make("p", {}, [pick(warning.title), pick(warning.message)].filter(Boolean).join(say("colon"))), make("small", {}, pick(warning.hint))], warning.place));
  if (unread.length) entries.push(line(say("unread"), make("p", {}, unread.join("、")), ""));
  lines(entries);
}
function showReferences() {
  lines(content.references.map((ref) => line(ref.text,
    ref.folder ? make("p", {}, elsewhere(ref.folder, "→ " + ref.target + " · " + ref.folder)) : ref.chunk >= 0 && ref.resolved ? make("button", { class: "link", click: () => choose(ref.chunk, true) }, "→ " + ref.target) : make("p", {}, ref.target),
    make("span", { class: ref.status === "dangling" ? "note" : "" }, ref.resolved ? "✓" : say(ref.status)))));
}
function showAbout() {
  const entry = (key, value) => line(key, make("p", {}, String(value)), "");
  const facts = [entry(say("source"), content.name + " · " + content.media_type), entry("SHA-256", content.sha256)];
  if (content.profile) facts.push(entry(say("profile"), content.profile.name + " · " + content.profile.why));
  for (const [key, value] of Object.entries(content.metadata)) if (value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length)) facts.push(entry(key, typeof value === "object" ? JSON.stringify(value) : value));
  facts.push(entry("headworks", content.versions.headworks + " · " + content.versions.settings));
  for (const [pack, version] of Object.entries(content.versions.rules)) facts.push(entry(pack, version));
  lines(facts);
}

// ---- the page with its boxes
function showPage() {
  const aside = document.getElementById("page");
  document.getElementById("frame").classList.toggle("paged", paged);
  aside.hidden = !paged;
  if (!paged) return;
  const last = content.sizes.length, size = content.sizes[state.page - 1] || content.sizes[0], picture = content.pictures[state.page];
  const turn = (step) => make("button", { disabled: state.page + step < 1 || state.page + step > last, click: () => { state.page += step; showPage(); } }, step < 0 ? "‹" : "›");
  const sheet = make("div", { class: "sheet" });
  if (picture) sheet.append(make("img", { src: picture, alt: say("page", state.page) }));
  else sheet.style.aspectRatio = size[0] + " / " + size[1];
  const svg = drawing("svg", { viewBox: "0 0 " + size[0] + " " + size[1], preserveAspectRatio: "none" });
  const boxes = onPage.get(state.page) || [];
  for (const chosen of [false, true]) for (const [index, box] of boxes) {
    if ((index === state.chosen) !== chosen) continue;
    const rect = drawing("rect", { x: box.x0 - 2, y: box.y0 - 2, width: box.x1 - box.x0 + 4, height: box.y1 - box.y0 + 4, rx: 2, class: chosen ? "chosen" : "" });
    rect.addEventListener("click", () => choose(index, true));
    svg.append(rect);
  }
  sheet.append(svg);
  aside.replaceChildren(make("div", { class: "turn" }, turn(-1), make("span", {}, say("page", state.page) + " " + say("of", last)), turn(1)), sheet, picture ? "" : make("div", { class: "absent" }, say("nopicture")));
}

// ---- choosing
function choose(index, scroll) {
  state.chosen = index;
  const chunk = chunks[index];
  if (scroll && state.tab !== "chunks") { state.tab = "chunks"; showMiddle(); }
  if (scroll && !state.picked.includes(index)) { state.query = ""; state.route = state.tag = null; showMiddle(); }
  const place = state.picked.indexOf(index);
  if (scroll && (place < state.first || place >= state.shown)) showFrom(place);
  document.querySelectorAll(".chunk.chosen").forEach((other) => other.classList.remove("chosen"));
  const element = document.getElementById("chunk-" + chunk.ordinal);
  if (element) { element.classList.add("chosen"); if (scroll) bring(element); }
  if (chunk.boxes.length && !chunk.boxes.some((box) => box.page === state.page)) state.page = chunk.boxes[0].page;
  markOutline();
  showPage();
  history.replaceState(null, "", "#chunk-" + chunk.ordinal);
}
function bring(element) {
  const tools = document.querySelector(".tools");
  element.style.scrollMarginTop = (tools ? tools.offsetHeight + 10 : 10) + "px";
  element.scrollIntoView({ block: "start", behavior: "instant" });
}
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") { if (event.key === "Escape") event.target.blur(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = state.picked.indexOf(state.chosen);
  if (event.key === "/") { event.preventDefault(); document.querySelector(".tabs input").focus(); }
  else if (event.key === "j" && place + 1 < state.picked.length) choose(state.picked[place + 1], true);
  else if (event.key === "k" && place > 0) choose(state.picked[place - 1], true);
});
function showAll() { showTop(); showOutline(); showMiddle(); showPage(); markOutline(); }
showAll();
const asked = /^#chunk-(\d+)$/.exec(location.hash);
const first = asked ? chunks.findIndex((chunk) => chunk.ordinal === Number(asked[1])) : -1;
if (first >= 0) choose(first, true);
