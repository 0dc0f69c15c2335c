/**
 * Lets the program go on in peace when nobody reads what it prints any more, as in `waybridge --help | head -1`: what it
 * was told to do, it does to the end. Another fault of a stream, such as a full disk, makes the exit code 1.
 */
export function ignoreEpipe(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1;
    });
  }
}
