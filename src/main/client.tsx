import '@ionic/react/css/core.css'
import '@ionic/react/css/normalize.css'
import '@ionic/react/css/structure.css'
import '@ionic/react/css/typography.css'
import '#client/ui/theme/theme.css'
import '#client/ui/theme/base.css'
import '#client/ui/theme/shell.css'
import '#client/ui/theme/components.css'
import '#client/ui/theme/content.css'
import { startClient } from '#client/start-client.tsx'
import { router } from './router.tsx'

startClient({
  router,
  refresh: token => import('#features/auth/client/renew-session.ts').then(m => m.renewSession(token)),
  followManaging: (own, where) =>
    import('#features/managing/client/switch-user.ts').then(m =>
      where === 'tab' ? m.followTab(own) : m.followServer(own),
    ),
})
