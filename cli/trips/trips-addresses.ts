import type { Command } from 'commander';

import type { Service } from '../../models/store/service.ts';
import type { Answer, CommonOptions } from '../shell/answer.ts';
import { command } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';

/** `trips addresses` */
export function addTripsAddresses(group: Command): void {
  command(group, 'addresses', 'Add addresses to the ends of trips that were stored without them')
    .example('trips addresses')
    .addHelpText(
      'after',
      '\nCities, states and countries are added at once. If GEOCODER_URL is set, the running service looks up the streets\n' +
        'afterwards. An interrupted command can be repeated: it continues with the trips that still lack addresses.',
    )
    .answers<CommonOptions>((_options, { service }) => addAddresses(service));
}

async function addAddresses(service: Service): Promise<Answer> {
  const { addAddresses: add, countPending } = await import('../../tracking/addresses/add-addresses.ts');
  const bar = new ProgressBar(process.stderr);
  const total = await countPending(service);
  try {
    const added = await add(service, ({ trip_count }) => {
      bar.draw(total === 0 ? 1 : trip_count / total, `${trip_count} of ${total} trips`);
    });
    const { trip_count, addressed_count, streets_due_count } = added;
    const isWaiting = streets_due_count > 0;
    return {
      title: `Added addresses to ${addressed_count} of ${trip_count} trips that lacked any`,
      json: { ...added },
      lines: [],
      ...(isWaiting && { note: `The service looks up the streets of ${streets_due_count} trips; let it run` }),
    };
  } finally {
    bar.clear();
  }
}
