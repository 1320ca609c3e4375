// <opscope-graph src="catalog.yaml" package="etcd"></opscope-graph>: the update graph of a package in any page.
// The module for the browser lies beside this file; it is loaded once, when the first element comes into sight.
// Text of a catalog never becomes HTML: the drawing is parsed as SVG, everything else is set as text.

const sheet = (text) => {
  const style = new CSSStyleSheet();
  style.replaceSync(text);
  return style;
};

const OWN_STYLE = sheet(`
  :host { display: block; min-height: 1px; color-scheme: light dark; }
  :host([hidden]) { display: none; }
  :host([theme="light"]) { color-scheme: light; }
  :host([theme="dark"]) { color-scheme: dark; }
  svg.drawing { display: block; max-width: 100%; height: auto; }
  .faults { padding: 12px; background: Canvas; color: CanvasText; font: 13px/20px -apple-system, "Segoe UI", Helvetica, sans-serif; }
  .faults p { margin: 0; }
  .faults ul { margin: 4px 0 0; padding-left: 20px; overflow-wrap: anywhere; }
`);

const PREFERS_DARK = matchMedia("(prefers-color-scheme: dark)");

let loading;
let failures = 0;
// Loads the module once. After a failure the next call tries again, at another address: a browser may remember that it
// could not fetch a module.
const load = () =>
  (loading ??= import(failures ? `./opscope-element.js?${failures}` : "./opscope-element.js")
    .then(async (module) => {
      await module.default();
      return module;
    })
    .catch((error) => {
      loading = undefined;
      failures += 1;
      throw error;
    }));

class OpscopeGraph extends HTMLElement {
  static observedAttributes = ["src", "package", "layout", "theme"];

  #root = this.attachShadow({ mode: "open" });
  #isSeen = false;
  // The text of the last address, which a change of another attribute does not fetch again.
  #fetched = { address: "", text: undefined };
  // Counts the drawings, so that a slow one does not replace a newer one.
  #turn = 0;
  #sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#sight.disconnect();
      this.#isSeen = true;
      this.#update();
    },
    { rootMargin: "200px" },
  );
  #onScheme = () => this.#update();

  constructor() {
    super();
    // Before anything is drawn, too: an inline element would be in sight where its text would begin.
    this.#show([OWN_STYLE]);
  }

  connectedCallback() {
    PREFERS_DARK.addEventListener("change", this.#onScheme);
    if (this.#isSeen) this.#update();
    else this.#sight.observe(this);
  }

  disconnectedCallback() {
    PREFERS_DARK.removeEventListener("change", this.#onScheme);
    this.#sight.disconnect();
  }

  attributeChangedCallback() {
    this.#update();
  }

  async #update() {
    if (!this.#isSeen) return;
    const turn = ++this.#turn;
    const src = this.getAttribute("src");
    let drawing;
    try {
      if (!src) throw new Error("the attribute `src` is missing");
      const [module, text] = await Promise.all([load(), this.#text(src)]);
      if (turn !== this.#turn) return;
      const theme = this.getAttribute("theme");
      const isDark = theme === "dark" || (theme !== "light" && PREFERS_DARK.matches);
      drawing = module.draw(src, text, this.getAttribute("package"), this.getAttribute("layout"), isDark);
      if (drawing.faults.length > 0) this.#show([OWN_STYLE], faults(drawing.faults));
      else this.#show([OWN_STYLE, sheet(drawing.style)], picture(drawing));
    } catch (error) {
      if (turn === this.#turn) this.#show([OWN_STYLE], faults([`${src ?? "opscope-graph"}: ${error.message}`]));
    } finally {
      drawing?.free();
    }
  }

  async #text(src) {
    const address = new URL(src, document.baseURI).href;
    if (this.#fetched.address !== address || !this.#fetched.text) {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`the server answers with ${response.status}`);
      this.#fetched = { address, text: new Uint8Array(await response.arrayBuffer()) };
    }
    return this.#fetched.text;
  }

  #show(styles, ...content) {
    this.#root.adoptedStyleSheets = styles;
    this.#root.replaceChildren(...content);
  }
}

function picture({ svg, alternative }) {
  const element = document.adoptNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", alternative);
  return element;
}

function faults(lines) {
  const [block, title, list] = ["div", "p", "ul"].map((name) => document.createElement(name));
  block.className = "faults";
  title.textContent = "The update graph cannot be drawn:";
  list.append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  block.append(title, list);
  return block;
}

customElements.define("opscope-graph", OpscopeGraph);
