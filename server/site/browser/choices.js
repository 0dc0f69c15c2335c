/** Lets the selects of a group stand for attributes of an element: one that is chosen as its first value is absent. */
export function bindChoices(group, apply) {
  for (const select of group.querySelectorAll('select')) {
    select.addEventListener('change', () => apply(select.name, chosen(select)));
  }
}

function chosen(select) {
  if (select.selectedIndex === 0) return null;
  return select.value === 'true' ? '' : select.value;
}
