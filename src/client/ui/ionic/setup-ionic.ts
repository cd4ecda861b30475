import { setupIonicReact } from '@ionic/react'

/**
 * Starts Ionic in the platform's look. Ionic's React wrappers of IonItem, IonButton and their kin register themselves by
 * class only, without the elements inside them (the ripple, for one): whoever uses one of them calls Ionic's own
 * `defineCustomElement` beside it, as lists/swipe-row.tsx does. Here it would lie on everybody's critical path.
 */
export function setupIonic(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const mode = new URLSearchParams(location.search).get('ionic:mode')
  setupIonicReact({ ...(still && { animated: false }), ...((mode === 'ios' || mode === 'md') && { mode }) })
}
