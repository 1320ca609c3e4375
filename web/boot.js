// Starts the app. A file of its own, because the page's policy allows no inline script.
const names = document.querySelector('meta[name="opscope-app"]');
const url = (name) => new URL(name, document.baseURI);

try {
  const app = await import(url(names.content));
  await app.default({ module_or_path: url(names.dataset.wasm) });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Opscope could not start: ${error}. It needs a browser with WebAssembly.`;
  document.body.prepend(message);
  throw error;
}
