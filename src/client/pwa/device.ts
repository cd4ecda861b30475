/** True when the app runs as an installed one, in a window of its own. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** True on iPhone and iPad, also where an iPad passes for a Mac. */
export const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
