import { defineCustomElement as defineButton } from '@ionic/core/components/ion-button.js'
import { defineCustomElement as defineItem } from '@ionic/core/components/ion-item.js'
import { setupIonicReact } from '@ionic/react'

/**
 * Starts Ionic in the platform's look. Ionic's React wrappers register some elements by class only and rely on the whole
 * package to bring the elements inside them (the ripple, for one), so those two register themselves with theirs.
 */
export const setupIonic = (): void => {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const mode = new URLSearchParams(location.search).get('ionic:mode')
  setupIonicReact({ ...(still && { animated: false }), ...((mode === 'ios' || mode === 'md') && { mode }) })
  defineButton()
  defineItem()
}
