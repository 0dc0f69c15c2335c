import { Session } from 'node:inspector';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** Microseconds from one sample to the next. */
const INTERVAL = 250;

// Loaded by `--import` into a server that is measured. A connection to the socket `PROFILE_SOCKET` is a profile: it begins with a
// line, ends when the client has ended its half, and is sent as JSON. Nothing costs anything before.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  session.post('Profiler.start');
  socket.write('\n');
  socket.resume().once('end', () => {
    session.post('Profiler.stop', (_error, { profile }) => socket.end(JSON.stringify(profile)));
    session.disconnect();
  });
});
if (isMainThread) server.listen(process.env.PROFILE_SOCKET).unref();
