import { drawnCampaign } from '../public.ts'
import type { LaunchPreview } from '../../contract.ts'
import './review.css'

/** What a launch will make, at a glance: campaigns as boxes, their ad groups as the words in them. */
export const StructureDiagram = ({ campaigns }: Pick<LaunchPreview, 'campaigns'>) => (
  <ul className="diagram structure-diagram plain-list" aria-label="Structure diagram">
    {campaigns.map(({ name, adGroups }) => {
      const { title, groups } = drawnCampaign(adGroups)
      return (
        <li key={name} className="diagram-campaign">
          <b>{title}</b>
          {groups.map(group => (
            <i key={group}>{group}</i>
          ))}
        </li>
      )
    })}
  </ul>
)
