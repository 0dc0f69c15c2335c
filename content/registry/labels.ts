/** Words of an interface, by what they stand on; null where there is no such thing. */
export type Labels = Readonly<Record<string, string | null>>;

/** The words for a type of content. */
export function typeLabels(singular: string, plural: string, own: Labels = {}): Labels {
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
export function taxonomyLabels(slug: string, singular: string, plural: string, own: Labels = {}): Labels {
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
