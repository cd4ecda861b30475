import type { AnyRouter } from '@tanstack/react-router'

export type Direction = 'forward' | 'back' | 'root' | 'none' | undefined

/** Goes to an address given as text, as Ionic's components and notifications know it. */
export function navigateHref(
  router: AnyRouter,
  href: string,
  { replace = false, direction }: { replace?: boolean; direction?: Direction } = {},
): Promise<void> {
  return router.navigate({
    href,
    replace,
    viewTransition: direction === 'none' ? false : { types: [direction ?? 'root'] },
  })
}
