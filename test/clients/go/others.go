package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// leadership is won by a Lease and kept for a while.
func leadership(s *stage) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, s.namespace, "lead", s.clients.CoreV1(),
		s.clients.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "me"})
	s.check("a lock", err)
	leads, lost := make(chan struct{}), make(chan struct{})
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   4 * time.Second,
		RenewDeadline:   3 * time.Second,
		RetryPeriod:     500 * time.Millisecond,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(leads) },
			OnStoppedLeading: func() { close(lost) },
		},
	})
	select {
	case <-leads:
	case <-time.After(5 * time.Second):
		s.expect("leads", false, "not in five seconds")
		return
	}
	select {
	case <-lost:
		s.expect("keeps leading", false, "lost within two seconds")
	case <-time.After(2 * time.Second):
		s.expect("leads, and keeps leading", true, nil)
	}
}

// policies are Karmada's: a dynamic client writes one, and a dynamic informer sees what comes of it.
func policies(s *stage) {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.clients.Discovery()))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "policy.karmada.io", Kind: "PropagationPolicy"})
	s.check("find PropagationPolicies", err)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.dynamic, time.Minute, s.namespace, nil)
	bindings := factory.ForResource(schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"})
	bindings.Informer()
	factory.Start(s.ctx.Done())
	factory.WaitForCacheSync(s.ctx.Done())
	policy := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy.karmada.io/v1alpha1",
		"kind":       "PropagationPolicy",
		"metadata":   map[string]any{"name": "policy"},
		"spec": map[string]any{
			"resourceSelectors": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "template"}},
			"placement":         map[string]any{"clusterAffinity": map[string]any{"clusterNames": []any{"member1"}}},
		},
	}}
	_, err = s.dynamic.Resource(mapping.Resource).Namespace(s.namespace).Create(s.ctx, policy, metav1.CreateOptions{})
	s.check("create a policy", err)
	template := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "template"}}
	_, err = s.clients.CoreV1().ConfigMaps(s.namespace).Create(s.ctx, template, metav1.CreateOptions{})
	s.check("create a template", err)
	s.until("its binding says that member1 has it", func() bool {
		found, err := bindings.Lister().ByNamespace(s.namespace).Get("template-configmap")
		if err != nil {
			return false
		}
		items, _, _ := unstructured.NestedSlice(found.(*unstructured.Unstructured).Object, "status", "aggregatedStatus")
		return len(items) == 1 && items[0].(map[string]any)["applied"] == true
	})
}

// discovery is what tools ask for first.
func discovery(s *stage) {
	lists, err := s.clients.Discovery().ServerPreferredResources()
	s.check("preferred resources", err)
	s.expect("there are many groups", len(lists) > 20, len(lists))
	document, err := s.clients.Discovery().OpenAPISchema()
	s.check("OpenAPI v2", err)
	isKnown := false
	for _, definition := range document.GetDefinitions().GetAdditionalProperties() {
		isKnown = isKnown || definition.GetName() == "io.k8s.api.apps.v1.Deployment"
	}
	s.expect("it knows Deployments", isKnown, len(document.GetDefinitions().GetAdditionalProperties()))
	paths, err := s.clients.Discovery().OpenAPIV3().Paths()
	s.check("OpenAPI v3", err)
	s.expect("it knows policies", paths["apis/policy.karmada.io/v1alpha1"] != nil, len(paths))
}
