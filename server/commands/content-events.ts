import type { Command } from 'commander';

import { answering, operatorCommand } from '../command-line/operator-command.ts';

/** `content events`: what `GET /pum/v1/analytics` has counted. */
export function addContentEventsCommand(content: Command): void {
  operatorCommand(content, 'events', {
    summary: 'Show how often posts and pages were opened, and did what they are for',
    example: 'content events --json',
  }).action(
    answering(async () => {
      const { eventCounts } = await import('../../content/analytics/count-event.ts');
      const events = await eventCounts();
      const lines = events.map(({ item_id, event, count }) => `  ${item_id}  ${event}  ${count}`);
      return { title: `Events counted: ${events.length}`, json: { events }, lines };
    }),
  );
}
