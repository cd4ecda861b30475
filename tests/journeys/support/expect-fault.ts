import { expect, type Locator } from '@playwright/test'

/** The field says what is wrong with it, where a screen reader hears it too. */
export const expectFault = async (field: Locator, message: string): Promise<void> => {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
}
