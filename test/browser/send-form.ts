import type { Page } from 'playwright-core';

/** Presses a button that sends a form, and waits for the page that answers it: a click itself may end before its navigation has begun. */
export async function sendForm(page: Page, button: string): Promise<void> {
  const pressed = page.getByRole('button', { name: button });
  await pressed.waitFor();
  await Promise.all([page.waitForEvent('framenavigated'), pressed.click()]);
  await page.waitForLoadState();
}
