import { day, money } from './format.js';
import { Listed, Loaded } from './loaded.jsx';

export function Orders({ page = 1 }) {
  const columns = [
    ({ id }) => <a href={`#/${id}`}>Order {id}</a>,
    ({ state }) => state,
    ({ total, currency }) => money(total, currency),
    ({ email }) => email,
  ];
  return <Listed path={`/orders/?page=${page}&limit=3`} columns={columns} />;
}

export function Products() {
  const columns = [({ name }) => name, ({ masterVariant }) => masterVariant.sku];
  return <Listed path="/products/?limit=3" columns={columns} />;
}

export function Product({ id }) {
  return (
    <Loaded path={`/products/${id}`}>
      {({ name, description, short_description: summary, masterVariant }) => (
        <>
          <h1>{name}</h1>
          <h2>{summary}</h2>
          <p title={description}>{masterVariant.sku}</p>
          <p>On sale since {day(masterVariant.available_on)}</p>
        </>
      )}
    </Loaded>
  );
}

export function User({ id }) {
  return (
    <Loaded path={`/users/${id}`}>
      {({ username, email, enabled, locked }) => (
        <>
          <h1>{username}</h1>
          <a href={`mailto:${email}`}>Write</a>
          <p>{enabled ? 'may sign in' : 'may not sign in'}</p>
          <p>{locked ? 'locked' : 'not locked'}</p>
        </>
      )}
    </Loaded>
  );
}

export function Users() {
  return <Listed path="/users/?limit=3" columns={[({ email }) => email]} />;
}

export function Countries() {
  const columns = [({ name }) => name, ({ iso_name: code }) => code];
  return <Listed path="/countries/?limit=3" columns={columns} />;
}

export function Zones() {
  const columns = [({ name }) => name, ({ type, members }) => `${members.length} × ${type}`];
  return <Listed path="/zones/?limit=2" columns={columns} />;
}

export function Channels() {
  const columns = [
    ({ name }) => name,
    ({ code }) => code,
    ({ enabled }) => (enabled ? 'open' : 'closed'),
    ({ currencies }) => currencies.map(({ code }) => code).join(', '),
  ];
  return <Listed path="/channels/" columns={columns} />;
}

export function StockLocation({ id }) {
  return (
    <Loaded path={`/stock-locations/${id}`}>
      {({ name, code, address }) => (
        <>
          <h1>{name}</h1>
          <h2>{code}</h2>
          <address>
            <span>{address.street}</span>, <span>{address.city}</span>{' '}
            <span>{address.postcode}</span>
          </address>
        </>
      )}
    </Loaded>
  );
}

export function Promotion({ id }) {
  return (
    <Loaded path={`/promotions/${id}`}>
      {({ name, used, exclusive, coupon_based: hasCoupons, priority }) => (
        <>
          <h1>{name}</h1>
          <p>Used {used} times</p>
          <p>{exclusive ? 'alone' : 'with others'}</p>
          <p>{hasCoupons ? 'with a coupon' : 'for all'}</p>
          <p>Priority {priority}</p>
        </>
      )}
    </Loaded>
  );
}

export function Payment({ id }) {
  return (
    <Loaded path={`/payments/${id}`}>
      {({ amount, currency, state, method }) => (
        <>
          <h1>{money(amount, currency)}</h1>
          <p>{state}</p>
          <p>{method.name}</p>
        </>
      )}
    </Loaded>
  );
}

export function Shipment({ id }) {
  return (
    <Loaded path={`/shipments/${id}`}>
      {({ state, method, created_at: created }) => (
        <>
          <h1>{state}</h1>
          <p>{method.name}</p>
          <p>Since {day(created)}</p>
        </>
      )}
    </Loaded>
  );
}

export function ShippingMethod({ id }) {
  return (
    <Loaded path={`/shipping-methods/${id}`}>
      {({ name, enabled, configuration }) => (
        <>
          <h1>{name}</h1>
          <p>{enabled ? 'offered' : 'not offered'}</p>
          <p>{money(configuration.first_item_cost, 'EUR')} for one</p>
          <p>{money(configuration.additional_item_cost, 'EUR')} more for each</p>
        </>
      )}
    </Loaded>
  );
}
