import mongoose, { type Model } from 'mongoose';

import './account.ts';
import './api-key.ts';
import './app-registration-count.ts';
import './app.ts';
import './content/comment.ts';
import './content/content-item.ts';
import './content/event-count.ts';
import './content/item-totals.ts';
import './content/pending-change.ts';
import './content/sequence.ts';
import './content/site-settings.ts';
import './content/term.ts';
import './content/upload.ts';
import './content/website-user.ts';
import './device-minute.ts';
import './device.ts';
import './group.ts';
import './ingest-key.ts';
import './known-browser.ts';
import './oauth-record.ts';
import './privacy-zone.ts';
import './security-event.ts';
import './sign-in-attempt.ts';
import './signing-key.ts';
import './subscription.ts';
import './trip-points-bucket.ts';
import './trip.ts';
import './user.ts';
import './vehicle.ts';

/** Models of everything that is stored: each file that registers one is imported above. */
export function allModels(): readonly Pick<
  Model<unknown>,
  'collection' | 'createIndexes' | 'diffIndexes' | 'modelName'
>[] {
  return Object.values(mongoose.models);
}
