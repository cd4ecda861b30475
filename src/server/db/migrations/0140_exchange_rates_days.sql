-- Units of each currency for one euro, as the European Central Bank published them on the day. Belongs to no merchant.
create table exchange_rate (
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  per_euro double precision not null check (per_euro > 0),
  primary key (day, currency)
);
