const key = 'tideline.invitation'

/** The token of an invitation that is accepted after the log-in. Of this tab alone, and never in an address that stays. */
export const pendingInvitation = {
  read: (): string | null => sessionStorage.getItem(key),
  save: (token: string): void => sessionStorage.setItem(key, token),
  clear: (): void => sessionStorage.removeItem(key),
}
