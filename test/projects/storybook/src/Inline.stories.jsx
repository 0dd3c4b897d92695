import { Users } from './Users.jsx';

const shop = (users) => ({
  scenario: 'empty',
  given: (given) => {
    for (let user = 0; user < users; user++) given.aUser();
  },
});

export default {
  component: Users,
  parameters: { docs: { story: { inline: true } } },
};

export const OwnFetch = {
  parameters: { backlot: shop(1) },
  render: (args, { loaded: { backlot } }) => <Users send={backlot.fetch} />,
};

export const OwnBaseUrl = {
  parameters: { backlot: shop(2) },
  render: (args, { loaded: { backlot } }) => (
    <Users send={(path, init) => fetch(`${backlot.baseUrl}${path}`, init)} />
  ),
};

export const OwnHeader = {
  parameters: { backlot: shop(3) },
  render: (args, { loaded: { backlot } }) => (
    <Users
      send={(path, init) =>
        fetch(path, { ...init, headers: { 'X-Backlot-Session': backlot.name } })
      }
    />
  ),
};

export const WindowFetch = { parameters: { backlot: shop(4) } };
