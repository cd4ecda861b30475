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

/** Makes a button of an alert one that must be held down: a tap on it does nothing. */
export const heldButton = { cssClass: 'held-button', handler: () => false }

/** Shows an alert and waits until it is closed. Returns the role of the chosen button. */
export async function openAlert(options: AlertOptions): Promise<string | undefined> {
  const alert = await alertController.create(options)
  const closed = alert.onDidDismiss()
  await alert.present()
  const held = alert.querySelector<HTMLElement>(`.${heldButton.cssClass}`)
  if (held) closeWhenHeld(alert, held)
  return (await closed).role
}

const HOLD_MS = 1000

// By finger, mouse or key. A screen reader passes a hold on as well (double-tap and hold).
function closeWhenHeld(alert: HTMLIonAlertElement, button: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  button.setAttribute('aria-description', 'Hold it down for one second')
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
    button.classList.remove('held')
  }
  const start = (): void => {
    if (timer) return
    button.classList.add('held')
    timer = setTimeout(() => void alert.dismiss(undefined, 'destructive'), HOLD_MS)
  }
  const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' '
  button.addEventListener('pointerdown', start)
  button.addEventListener('contextmenu', event => event.preventDefault())
  button.addEventListener('keydown', event => isPress(event) && start())
  for (const end of ['pointerup', 'pointerleave', 'pointercancel', 'keyup', 'blur'] as const)
    button.addEventListener(end, stop)
}

/** Shows an action sheet and waits until it is closed. Returns the data of the chosen button. */
export async function openActionSheet<T>(options: ActionSheetOptions): Promise<T | undefined> {
  const sheet = await actionSheetController.create(options)
  await sheet.present()
  return (await sheet.onDidDismiss<T>()).data
}
