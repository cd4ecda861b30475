import type { ManifestOptions } from 'vite-plugin-pwa'

function shortcut(name: string, url: string) {
  return {
    name,
    url,
    icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
  }
}

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
  screenshots: [
    {
      src: '/screenshots/home-narrow.png',
      sizes: '390x844',
      type: 'image/png',
      form_factor: 'narrow',
      label: 'Home on a phone',
    },
    {
      src: '/screenshots/home-wide.png',
      sizes: '1180x820',
      type: 'image/png',
      form_factor: 'wide',
      label: 'Home at a desk',
    },
  ],
  shortcuts: [
    shortcut('New campaign', '/create-campaign'),
    shortcut('Campaigns', '/campaigns'),
    shortcut('Home', '/home'),
  ],
}
