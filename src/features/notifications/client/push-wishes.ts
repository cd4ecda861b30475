const wantedKey = 'tideline.push'
const declinedKey = 'tideline.push.declined'

/** Remembers on this device whether its user wants pushes here. */
export function wantPush(wanted: boolean): void {
  if (wanted) localStorage.setItem(wantedKey, 'on')
  else localStorage.removeItem(wantedKey)
}

/** True when the user of this device wants pushes here, whatever became of the browser's subscription. */
export const isPushWanted = (): boolean => localStorage.getItem(wantedKey) === 'on'

/** Remembers that the user does not want to be offered pushes again. */
export const declinePush = (): void => localStorage.setItem(declinedKey, 'yes')

/** True when the user said so. */
export const isPushDeclined = (): boolean => localStorage.getItem(declinedKey) !== null

/** Forgets both, for the next user of this device. */
export function forgetPushWishes(): void {
  wantPush(false)
  localStorage.removeItem(declinedKey)
}
