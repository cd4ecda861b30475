import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { pricetagOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { registerLanding } from '#client/api/session/after-log-in.ts'
import { registerUnsavedWork } from '#client/api/session/unsaved-work.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { dropAllShared, hasUnseenShared, keepShared } from './shared-products.ts'

const page: string = '/shared-products'

registerLanding(() => (hasUnseenShared() ? page : null))
// It survives an expired session, like other work of this device; a log-out deletes it.
registerUnsavedWork({ save: () => Promise.resolve(), atRisk: () => null, forget: dropAllShared })

// Numbers and the like arrive parsed.
const part = v.optional(
  v.pipe(
    v.unknown(),
    v.transform(value => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')),
  ),
  '',
)
const shareSearch = v.object({ title: part, text: part, url: part })

/** Where the system brings what was shared from another app; open to everybody, because it must not be lost before a log-in. */
export function shareTargetRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/share',
      validateSearch: shareSearch,
      beforeLoad: ({ search }) => {
        const text = [search.url, search.text, search.title].filter(Boolean).join('\n')
        if (text) keepShared(text)
        throw redirect({ to: page, replace: true })
      },
    }),
  ]
}

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const sharedSearch = v.object({
  sheet: maybe(v.picklist(['target', 'exclude'])),
  asin: maybe(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/))),
})

export function shareRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/shared-products',
      validateSearch: sharedSearch,
      component: lazyRouteComponent(() => import('./shared-products-page.tsx'), 'SharedProductsPage'),
    }),
  ]
}

export const shareNavigation: NavEntry[] = [
  { to: page, label: 'Add a product', icon: pricetagOutline, group: 'Campaigns', authorities: ['MERCHANT_MANAGER'] },
]
