type Landing = () => string | null

let landing: Landing = () => null

/** Registers where a log-in leads instead of the start; null while there is nothing to continue with. */
export function registerLanding(find: Landing): void {
  landing = find
}

/** The address to open after a log-in. */
export const afterLogIn = (): string => landing() ?? '/home'
