-- What all keywords, all other targets and all ads of an account add up to, as its campaigns and ad groups have it: the totals
-- of a list are a row or two a month instead of those of each entity.
insert into running_sum (merchant_id, profile_id, entity, date, key, impressions, clicks, cost_micros, sales_micros, orders, units)
select merchant_id, profile_id,
  case entity when 'keyword' then 'profileKeywords' when 'target' then 'profileTargets' else 'profileAds' end,
  date, profile_id, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
from running_sum where entity in ('keyword', 'target', 'ad')
group by merchant_id, profile_id, entity, date;
