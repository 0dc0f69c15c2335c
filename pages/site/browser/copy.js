/** Shows and activates the copy buttons of a page: each copies the text of the element that it names. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  const [label] = button.childNodes;
  const word = label.textContent;
  let timer;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    label.textContent = (await copied(source)) ? 'Copied' : 'Press Ctrl+C';
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.textContent = word;
    }, 2000);
  });
}

/** Copies the text of an element; if the browser refuses, selects it and returns false. */
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
