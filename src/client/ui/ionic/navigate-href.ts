import type { AnyRouter } from '@tanstack/react-router'

/** Goes to an address given as text, as notifications know it. */
export const navigateHref = (router: AnyRouter, href: string, { replace = false } = {}): Promise<void> =>
  router.navigate({ href, replace, viewTransition: true })
