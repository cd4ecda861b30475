-- A policy that calls current_merchants() reads the setting again for every row it filters and every row that a join looks
-- up. As a subquery it is read once a statement: a lookup by id costs a third, a scan of half a million rows a fifth.
do $$
declare
  found record;
begin
  for found in
    select p.polname as policy, c.oid::regclass as relation, pg_get_expr(p.polqual, p.polrelid) as condition
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where pg_get_expr(p.polqual, p.polrelid) like '%ANY (current_merchants())%'
  loop
    execute format('alter policy %I on %s using %s', found.policy, found.relation,
      replace(found.condition, 'ANY (current_merchants())', 'ANY ((select current_merchants())::bigint[])'));
  end loop;
end $$;
