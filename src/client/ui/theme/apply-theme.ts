export type ThemeChoice = 'system' | 'light' | 'dark'

const storageKey = 'tideline.theme'
const systemDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme chosen on this device; the system's by default. */
export function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function apply(): void {
  const choice = themeChoice()
  const dark = choice === 'dark' || (choice === 'system' && systemDark().matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}

/** Takes the look from now on. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
  apply()
}

/** Shows the chosen look and follows the system's changes. */
export function startTheme(): void {
  apply()
  systemDark().addEventListener('change', apply)
}
