import { once } from '../../schema/once.ts';

/** Resolves to true if a worker made from a blob answers, as the engines need; a policy blocks it with an error event only. */
export const allowsWorkers = once((): Promise<boolean> => {
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
});
