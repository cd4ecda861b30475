import { expect, type Locator } from '@playwright/test'

/** The field shows this message and announces it to screen readers. */
export async function expectFieldMessage(field: Locator, message: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
}
