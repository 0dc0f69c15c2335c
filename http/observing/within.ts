/** Waits for work, at most that many milliseconds, then throws an error with the message `late`; the work continues. */
export async function within<Result>(milliseconds: number, work: Promise<Result>, late: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
