import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { send } from '#client/api/call.ts'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { type BrandingProfile, brandingEndpoints } from '../contract.ts'
import { textOn, textOnPaper } from '../rules.ts'

/** A logo as an address that an image may have; the call needs the session, which an image's own request has not. */
export function useLogo(logoUrl: string | null): string | null {
  const { data } = useQuery({
    queryKey: ['branding', 'logo', logoUrl],
    enabled: logoUrl !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const [profileId, file] = (logoUrl ?? '').split('/').slice(-2)
      const input = { params: { profileId: profileId ?? '', file: file ?? '' } }
      return (await send(brandingEndpoints.logo, input, { signal }, response => response.blob())).content
    },
    meta: { silent: true },
  })
  const url = useMemo(() => (data && logoUrl ? URL.createObjectURL(data) : null), [data, logoUrl])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return url
}

type Shown = Pick<BrandingProfile, 'name' | 'primaryColor' | 'accentColor' | 'footer'>

/** How the cover and a page of a report look with a profile. The figures are examples. */
export function ReportPreview({ profile, logo }: { profile: Shown; logo: string | null }) {
  const { name, primaryColor, accentColor, footer } = profile
  const cover = { background: primaryColor, color: textOn(primaryColor), borderColor: accentColor }
  return (
    <figure className="branding-preview">
      <div className="branding-sheets">
        <div className="branding-sheet">
          <div className="branding-cover" style={cover}>
            {logo && (
              <span className="branding-logo">
                <img src={logo} alt="" />
              </span>
            )}
            <strong>Account performance</strong>
            <span>Your client · US</span>
          </div>
          <p>Prepared by {name || 'your agency'}</p>
        </div>
        <div className="branding-sheet">
          <div className="branding-stripe" style={{ background: primaryColor }} />
          <p>
            <strong style={{ color: textOnPaper(primaryColor) }}>At a glance</strong>
          </p>
          <dl>
            <div>
              <dt>Ad spend</dt>
              <dd>{formatMoney(1167.93, 'USD')}</dd>
            </div>
            <div>
              <dt>ACOS</dt>
              <dd>{formatPercent(36.58)}</dd>
            </div>
          </dl>
          <svg viewBox="0 0 120 44" aria-hidden="true">
            <polyline points="2,38 22,34 42,36 62,30 82,32 118,26" stroke={primaryColor} />
            <polyline points="2,30 22,18 42,24 62,10 82,16 118,4" stroke={accentColor} />
          </svg>
          <p className="branding-foot">
            <span>{footer || 'Account performance · Your client'}</span>
            <span>Page 2 of 6</span>
          </p>
        </div>
      </div>
      <figcaption>How the cover and a page look. The figures are examples.</figcaption>
    </figure>
  )
}
