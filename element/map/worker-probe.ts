let workersAllowed: Promise<boolean> | undefined;

/** Resolves to true if a worker made from a blob answers, as the engines need; a policy blocks it with an error event only. */
export function allowsWorkers(): Promise<boolean> {
  workersAllowed ??= probeWorker();
  return workersAllowed;
}

function probeWorker(): Promise<boolean> {
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
  return new Promise<boolean>((resolve) => {
    const worker = new Worker(url);
    const answer = (allowed: boolean) => (): void => {
      worker.terminate();
      resolve(allowed);
    };
    worker.onmessage = answer(true);
    worker.onerror = answer(false);
  })
    .catch(() => false)
    .finally(() => URL.revokeObjectURL(url));
}
