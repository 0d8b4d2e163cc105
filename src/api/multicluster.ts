import type { Condition, KubeObject } from './meta.ts';

/** core/v1 LoadBalancerStatus */
export interface LoadBalancerStatus {
  readonly ingress?: readonly {
    readonly hostname?: string;
    readonly ip?: string;
    readonly ipMode?: string;
    readonly ports?: readonly { readonly port: number; readonly protocol: string; readonly error?: string }[];
  }[];
}

/** Makes the Service of the same name reachable over members. */
export interface MultiClusterService extends KubeObject {
  readonly apiVersion: 'networking.karmada.io/v1alpha1';
  readonly kind: 'MultiClusterService';
  readonly spec: {
    readonly types: readonly ('CrossCluster' | 'LoadBalancer')[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
    /** Deprecated in favour of providerClusters and consumerClusters. */
    readonly range?: { readonly clusterNames?: readonly string[] };
    readonly providerClusters?: readonly { readonly name: string }[];
    readonly consumerClusters?: readonly { readonly name: string }[];
    /** The older spelling of providerClusters. */
    readonly serviceProvisionClusters?: readonly string[];
    /** The older spelling of consumerClusters. */
    readonly serviceConsumptionClusters?: readonly string[];
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly loadBalancer?: LoadBalancerStatus };
}

/** Where an ingress sends what it takes. */
export interface IngressBackend {
  readonly service?: { readonly name: string; readonly port?: { readonly name?: string; readonly number?: number } };
  readonly resource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}

/** An Ingress over members; the spec is that of networking.k8s.io/v1. */
export interface MultiClusterIngress extends KubeObject {
  readonly apiVersion: 'networking.karmada.io/v1alpha1';
  readonly kind: 'MultiClusterIngress';
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths: readonly {
          readonly path?: string;
          readonly pathType: string;
          readonly backend: IngressBackend;
        }[];
      };
    }[];
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  };
  readonly status?: {
    readonly loadBalancer?: LoadBalancerStatus;
    readonly trafficBlockClusters?: readonly string[];
    readonly serviceLocations?: readonly { readonly name: string; readonly clusters?: readonly string[] }[];
  };
}

/** Offers the Service of the same name to other members. */
export interface ServiceExport extends KubeObject {
  readonly apiVersion: 'multicluster.x-k8s.io/v1alpha1';
  readonly kind: 'ServiceExport';
  readonly status?: { readonly conditions?: readonly Partial<Condition>[] };
}

/** A Service of other members, as it is seen here. */
export interface ServiceImport extends KubeObject {
  readonly apiVersion: 'multicluster.x-k8s.io/v1alpha1';
  readonly kind: 'ServiceImport';
  readonly spec?: {
    readonly ports: readonly {
      readonly name?: string;
      readonly protocol?: string;
      readonly appProtocol?: string;
      readonly port: number;
    }[];
    readonly ips?: readonly string[];
    readonly type: 'ClusterSetIP' | 'Headless';
    readonly sessionAffinity?: string;
    readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } };
  };
  readonly status?: { readonly clusters?: readonly { readonly cluster: string }[] };
}
