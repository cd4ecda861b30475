// In a file of its own, because a page needs the day before it needs anything else about a marketplace. By our own marketplace
// id. The Ads time zone of CA and MX is Los Angeles, that of DE, ES and IT is Paris: odd, but official.
const timezones: ReadonlyMap<number, string> = new Map([
  [1, 'America/Los_Angeles'], // US
  [2, 'America/Sao_Paulo'], // BR
  [3, 'America/Los_Angeles'], // CA
  [4, 'America/Los_Angeles'], // MX
  [5, 'Asia/Dubai'], // AE
  [6, 'Europe/Brussels'], // BE
  [7, 'Europe/Paris'], // DE
  [8, 'Africa/Cairo'], // EG
  [9, 'Europe/Paris'], // ES
  [10, 'Europe/Paris'], // FR
  [11, 'Europe/Dublin'], // IE
  [12, 'Asia/Kolkata'], // IN
  [13, 'Europe/Paris'], // IT
  [14, 'Europe/Amsterdam'], // NL
  [15, 'Europe/Warsaw'], // PL
  [16, 'Asia/Riyadh'], // SA
  [17, 'Europe/Stockholm'], // SE
  [18, 'Europe/Istanbul'], // TR
  [19, 'Europe/London'], // UK
  [20, 'Africa/Johannesburg'], // ZA
  [21, 'Australia/Sydney'], // AU
  [22, 'Asia/Tokyo'], // JP
  [23, 'Asia/Singapore'], // SG
])

/** The time zone (IANA name) of a marketplace's days; UTC for an unknown id. */
export const timezoneOfMarketplace = (id: number): string => timezones.get(id) ?? 'UTC'
