import type { ManifestOptions } from 'vite-plugin-pwa'

const shortcut = (name: string, url: string) => ({
  name,
  url,
  icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
})

const screenshot = (shape: 'narrow' | 'wide', sizes: string, label: string) => ({
  src: `/screenshots/home-${shape}.png`,
  sizes,
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
  theme_color: '#0f4c52',
  background_color: '#f7f1e5',
  categories: ['business', 'productivity'],
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  screenshots: [screenshot('narrow', '390x844', 'Home on a phone'), screenshot('wide', '1180x820', 'Home at a desk')],
  shortcuts: [
    shortcut('New campaign', '/create-campaign'),
    shortcut('Campaigns', '/campaigns'),
    shortcut('Home', '/home'),
  ],
}
