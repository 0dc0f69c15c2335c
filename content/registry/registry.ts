import type { RegisteredStatus, RegisteredTaxonomy, RegisteredType } from '../schema/records/registered.ts';

import { type ContentKind, CONTENT_KINDS, typesWithTerms } from '../schema/kinds/content-kinds.ts';
import type { Taxonomy } from '../schema/kinds/term-kinds.ts';

/** The types of content that the interface shows. */
export const TYPES: readonly RegisteredType[] = CONTENT_KINDS.map(typeOf);

/** Existing types that the interface does not show. */
export const HIDDEN_TYPES = [
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
];

/** The statuses that the interface shows to callers who may see them. */
export const STATUSES: readonly RegisteredStatus[] = [
  { ...statusOf('publish', 'Published'), public: true, queryable: true },
  { ...statusOf('future', 'Scheduled'), protected: true },
  { ...statusOf('draft', 'Draft'), protected: true },
  { ...statusOf('pending', 'Pending'), protected: true },
  { ...statusOf('private', 'Private'), private: true },
  { ...statusOf('trash', 'Trash'), show_in_list: false },
];

/** The taxonomies that the interface shows. */
export const TAXONOMIES: readonly RegisteredTaxonomy[] = [
  {
    ...taxonomyOf('category', 'categories', 'categories'),
    name: 'Categories',
    hierarchical: true,
    labels: taxonomyLabels('category', 'Category', 'Categories', {
      parent_item: 'Parent Category',
      parent_item_colon: 'Parent Category:',
    }),
  },
  {
    ...taxonomyOf('post_tag', 'tags', 'post_tags'),
    name: 'Tags',
    labels: taxonomyLabels('post_tag', 'Tag', 'Tags', {
      popular_items: 'Popular Tags',
      separate_items_with_commas: 'Separate tags with commas',
      add_or_remove_items: 'Add or remove tags',
      choose_from_most_used: 'Choose from the most used tags',
    }),
  },
];

/** Existing taxonomies that the interface does not show. */
export const HIDDEN_TAXONOMIES = ['nav_menu', 'link_category', 'post_format'];

function typeOf({ type, many, noun, address, isUploaded, terms, words, supports }: ContentKind): RegisteredType {
  const [singular, plural, labels] = words;
  return {
    slug: type,
    rest_base: many,
    capabilities: { ...capabilitiesOf(noun), ...(isUploaded ? { create_posts: 'upload_files' } : {}) },
    description: '',
    hierarchical: address === 'nested',
    viewable: true,
    taxonomies: terms.map(({ taxonomy }) => taxonomy),
    labels: typeLabels(singular, plural, labels),
    name: labels?.name ?? plural,
    supports: Object.fromEntries(supports.split(',').map((feature) => [feature, true])),
  };
}

function statusOf(slug: string, name: string): RegisteredStatus {
  return { slug, name, private: false, protected: false, public: false, queryable: false, show_in_list: true };
}

function taxonomyOf(slug: Taxonomy, rest_base: string, noun: string) {
  const verbs = { manage_terms: 'manage', edit_terms: 'edit', delete_terms: 'delete', assign_terms: 'assign' };
  const capabilities = Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, `${verb}_${noun}`]));
  return {
    slug,
    rest_base,
    capabilities,
    description: '',
    hierarchical: false,
    show_cloud: true,
    types: typesWithTerms({ taxonomy: slug }),
  };
}

function capabilitiesOf(many: string): Readonly<Record<string, string>> {
  const noun = many.slice(0, -1);
  return {
    edit_post: `edit_${noun}`,
    read_post: `read_${noun}`,
    delete_post: `delete_${noun}`,
    edit_posts: `edit_${many}`,
    edit_others_posts: `edit_others_${many}`,
    publish_posts: `publish_${many}`,
    read_private_posts: `read_private_${many}`,
    read: 'read',
    delete_posts: `delete_${many}`,
    delete_private_posts: `delete_private_${many}`,
    delete_published_posts: `delete_published_${many}`,
    delete_others_posts: `delete_others_${many}`,
    edit_private_posts: `edit_private_${many}`,
    edit_published_posts: `edit_published_${many}`,
    create_posts: `edit_${many}`,
  };
}

/** Labels of a user interface by element; null if there is no such element. */
export type Labels = Readonly<Record<string, string | null>>;

/** The words for a type of content. */
function typeLabels(singular: string, plural: string, own: Labels = {}): Labels {
  const one = singular.toLowerCase();
  const many = plural.toLowerCase();
  return {
    name: plural,
    singular_name: singular,
    add_new: 'Add New',
    add_new_item: `Add New ${singular}`,
    edit_item: `Edit ${singular}`,
    new_item: `New ${singular}`,
    view_item: `View ${singular}`,
    view_items: `View ${plural}`,
    search_items: `Search ${plural}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in Trash.`,
    parent_item_colon: null,
    all_items: `All ${plural}`,
    archives: `${singular} Archives`,
    attributes: `${singular} Attributes`,
    insert_into_item: `Insert into ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured Image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter ${many} list`,
    items_list_navigation: `${plural} list navigation`,
    items_list: `${plural} list`,
    menu_name: plural,
    name_admin_bar: singular,
    ...own,
  };
}

/** The words for a taxonomy. */
function taxonomyLabels(slug: string, singular: string, plural: string, own: Labels = {}): Labels {
  const many = plural.toLowerCase();
  return {
    name: plural,
    singular_name: singular,
    search_items: `Search ${plural}`,
    popular_items: null,
    all_items: `All ${plural}`,
    parent_item: null,
    parent_item_colon: null,
    edit_item: `Edit ${singular}`,
    view_item: `View ${singular}`,
    update_item: `Update ${singular}`,
    add_new_item: `Add New ${singular}`,
    new_item_name: `New ${singular} Name`,
    separate_items_with_commas: null,
    add_or_remove_items: null,
    choose_from_most_used: null,
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    items_list_navigation: `${plural} list navigation`,
    items_list: `${plural} list`,
    most_used: 'Most Used',
    back_to_items: `&larr; Back to ${plural}`,
    menu_name: plural,
    name_admin_bar: slug,
    ...own,
  };
}
