const wantedKey = 'tideline.push'
const declinedKey = 'tideline.push.declined'

/** Stores on this device whether its user wants notifications here. */
export function setPushWanted(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(wantedKey, 'on')
  else localStorage.removeItem(wantedKey)
}

/** True if the user of this device wants notifications here, even if the browser has lost its subscription. */
export const isPushWanted = (): boolean => localStorage.getItem(wantedKey) === 'on'

/** Stores that the user does not want to be asked again. */
export const declinePush = (): void => localStorage.setItem(declinedKey, 'yes')

/** True if the user does not want to be asked again. */
export const isPushDeclined = (): boolean => localStorage.getItem(declinedKey) !== null

/** Deletes both, for the next user of this device. */
export function clearPushPreference(): void {
  setPushWanted(false)
  localStorage.removeItem(declinedKey)
}
