/** Lets the selects of a group stand for attributes of an element: one that is chosen as its first value, or as `false`, is absent. */
export function bindChoices(group, apply) {
  for (const select of group.querySelectorAll('select')) {
    select.addEventListener('change', () => apply(select.name, chosen(select)));
  }
}

function chosen(select) {
  if (select.value === 'true') return '';
  return select.selectedIndex === 0 || select.value === 'false' ? null : select.value;
}
