import type { ManifestOptions } from 'vite-plugin-pwa'

const png = (name: string, size: number, purpose: 'any' | 'maskable' = 'any') =>
  ({ src: `/${name}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }) as const

const shortcut = (name: string, url: string, icon: string) => ({ name, url, icons: [png(`shortcut-${icon}`, 96)] })

const screenshot = (screen: string, shape: 'narrow' | 'wide', label: string) => ({
  src: `/screenshots/${screen}-${shape}.png`,
  sizes: shape === 'narrow' ? '390x844' : '1180x820',
  type: 'image/png',
  form_factor: shape,
  label,
})

/** What the system knows of the installed app. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Tideline',
  short_name: 'Tideline',
  description: 'Create, watch and correct marketplace ad campaigns from a phone.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  // What opens the app again, such as a shortcut or a shared page, uses the window that is there: the page opens the address
  // itself, so that nothing in it is lost.
  launch_handler: { client_mode: ['focus-existing', 'auto'] },
  handle_links: 'preferred',
  prefer_related_applications: false,
  theme_color: '#0f4c52',
  background_color: '#f7f1e5',
  categories: ['business', 'productivity', 'finance'],
  icons: [
    png('icon', 192),
    png('icon', 512),
    png('icon-maskable', 192, 'maskable'),
    png('icon-maskable', 512, 'maskable'),
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  screenshots: [
    screenshot('home', 'narrow', 'Today’s figures on a phone'),
    screenshot('home', 'wide', 'Today’s figures at a desk'),
  ],
  share_target: {
    action: '/share',
    method: 'GET',
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [
    shortcut('Triage', '/notifications', 'triage'),
    shortcut('Out of budget', '/campaigns?state=ENABLED&serving=MONEY', 'budget'),
    shortcut('New campaign', '/create-campaign', 'create'),
    shortcut('Insights', '/insights', 'insights'),
  ],
}
