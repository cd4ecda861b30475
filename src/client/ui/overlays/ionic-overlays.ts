import {
  actionSheetController,
  type ActionSheetOptions,
  alertController,
  type AlertOptions,
} from '@ionic/core/components'
import { defineCustomElement as defineActionSheet } from '@ionic/core/components/ion-action-sheet.js'
import { defineCustomElement as defineAlert } from '@ionic/core/components/ion-alert.js'

// Loaded on first use: neither belongs to the critical path.
defineActionSheet()
defineAlert()

/** Shows an alert and waits until it is closed. Returns the role of the chosen button. */
export async function openAlert(options: AlertOptions): Promise<string | undefined> {
  const alert = await alertController.create(options)
  await alert.present()
  return (await alert.onDidDismiss()).role
}

/** Shows an action sheet and waits until it is closed. Returns the data of the chosen button. */
export async function openActionSheet<T>(options: ActionSheetOptions): Promise<T | undefined> {
  const sheet = await actionSheetController.create(options)
  await sheet.present()
  return (await sheet.onDidDismiss<T>()).data
}
