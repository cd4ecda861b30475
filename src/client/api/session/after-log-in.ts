type Landing = () => string | null

const landings: Landing[] = []

/** Registers where a log-in may lead instead of the start; null while there is nothing to continue with. */
export function registerLanding(find: Landing): void {
  landings.push(find)
}

/** The address to open after a log-in: of the first feature that has one. */
export const afterLogIn = (): string => landings.map(find => find()).find(path => path !== null) ?? '/home'
