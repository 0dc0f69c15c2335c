import { ContentItemStore } from '../../content/models/content-item.ts';
import { SequenceStore } from '../../content/models/sequence.ts';
import { TermStore } from '../../content/models/term.ts';
import { testService } from './database.ts';

/** Takes away all posts, pages and media, numbers new ones from 1, and leaves two categories and a tag. */
export async function resetContent(): Promise<void> {
  await Promise.all([
    ContentItemStore.deleteMany(testService, {}),
    SequenceStore.deleteMany(testService, { _id: 'items' }),
    TermStore.deleteMany(testService, {}),
  ]);
  await TermStore.insertMany(testService, [
    { id: 1, taxonomy: 'category', name: 'Uncategorized', name_folded: 'uncategorized', slug: 'uncategorized' },
    { id: 2, taxonomy: 'category', name: 'News', name_folded: 'news', slug: 'news' },
    { id: 3, taxonomy: 'post_tag', name: 'beta', name_folded: 'beta', slug: 'beta' },
  ]);
}
