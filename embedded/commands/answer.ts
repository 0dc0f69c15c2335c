import type { Doc } from '../bson/value.ts';
import { HeavyRead } from '../storage/connection.ts';
import { clientError } from '../storage/file-errors.ts';
import { formatReply, type Request } from '../wire/message.ts';
import { Arguments } from './arguments.ts';
import type { Reply } from './command.ts';
import { errorFields } from './write.ts';

/** Runs the command of a request and writes the message that answers it, an error included; throws {@link HeavyRead} alone. */
export async function answer(
  { id, command, isLegacy }: Request,
  run: (command: { readonly name: string; readonly args: Arguments; readonly db: string }) => Reply | Promise<Reply>,
): Promise<Buffer> {
  try {
    const [name = ''] = command.keys();
    const args = new Arguments(command);
    return formatReply(id, isLegacy, await run({ name, args, db: args.string('$db') }));
  } catch (error) {
    if (error instanceof HeavyRead) throw error;
    return formatReply(id, isLegacy, errorReply(error));
  }
}

/** The answer to a command that failed. */
export function errorReply(error: unknown): Doc {
  return new Map([['ok', 0], ...errorFields(clientError(error))]);
}
