// Starts the app. A file of its own, because the page's policy allows no inline script.
const url = (name) => JSON.stringify(new URL(name, document.baseURI));
const named = (name) => document.querySelector(`meta[name="${name}"]`);

// A worker from a `blob:` inherits the page's policy, one from a file has none: so the browser itself
// sees to it that the worker, too, reaches no other host. The app starts what it finds in `content`.
const worker = named("opscope-worker");
const start = `importScripts(${url(worker.content)}); wasm_bindgen({ module_or_path: ${url(worker.dataset.wasm)} });`;
worker.content = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));

try {
  const { content, dataset } = named("opscope-app");
  const app = await import(new URL(content, document.baseURI));
  await app.default({ module_or_path: new URL(dataset.wasm, document.baseURI) });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Opscope could not start: ${error}. It needs a browser with WebAssembly.`;
  document.body.prepend(message);
  throw error;
}
