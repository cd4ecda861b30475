import { defineCustomElement as defineApp } from '@ionic/core/components/ion-app.js'
import { defineCustomElement as defineContent } from '@ionic/core/components/ion-content.js'
import { setupIonicReact } from '@ionic/react'

// Loaded after the first paint, and before any of Ionic's components: until then a page scrolls by itself (page.css).
setupIonicReact({ animated: !matchMedia('(prefers-reduced-motion: reduce)').matches })
defineApp()
defineContent()
